"""What stands below the help of each command: how it is called; and how commands are grouped and also called."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, tuple[str, ...]] = {
    "remember": ("add",),
    "recall": ("search",),
    "show": ("get",),
    "why": ("explain",),
    "forget": ("delete",),
    "dream": ("consolidate",),
}
"""Other names of commands, as other tools have them."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "init": ("cogm init", "cogm init --embedder hashing --path ./brain"),
    "remember": (
        'cogm remember "I moved to Lisbon in May"',
        'cogm remember "I like tea" "My sister is a nurse" -n alice --tag family',
        "cogm remember -f chat.jsonl --session monday",
        "git log -1 --format=%B | cogm remember -",
    ),
    "recall": (
        'cogm recall "where do I live?"',
        'cogm recall "what did Ann say?" --speaker Ann --since 2026-05-01 -k 3',
        'cogm recall "where do I live?" --context',
    ),
    "list": (
        "cogm list --limit 10",
        "cogm list --state any --tag family --oldest-first",
        "cogm list --where app=web --json",
    ),
    "show": ("cogm show b2b1bd483989",),
    "history": ("cogm history b2b1bd483989",),
    "why": ("cogm why b2b1bd483989",),
    "edit": ('cogm edit b2b1bd483989 "I moved to Porto in May"',),
    "supersede": ('cogm supersede b2b1bd483989 "I live in Porto now"',),
    "end": ("cogm end b2b1bd483989", "cogm end b2b1bd483989 --at 'last monday'"),
    "pin": ("cogm pin b2b1bd483989",),
    "unpin": ("cogm unpin b2b1bd483989",),
    "restore": ("cogm restore b2b1bd483989",),
    "forget": (
        "cogm forget b2b1bd483989",
        'cogm forget "Lisbon" --dry-run',
        "cogm forget --all --hard --yes -n alice",
    ),
    "seal": ("cogm seal health", 'cogm seal "my ex Daniel"', "cogm seal"),
    "unseal": ("cogm unseal health",),
    "learnt": (
        "cogm learnt",
        "cogm learnt --since 2026-05-01T00:00:00Z --limit 20",
        "cogm learnt keep 1-bd483989",
        'cogm learnt fix 2-bd483989 "I live in Porto now"',
    ),
    "feedback": ('cogm feedback "where do I live?" "You live in Lisbon."',),
    "intend": (
        'cogm intend "ask about the budget" --when "Anna calls"',
        'cogm intend "water the plants" --at 2027-05-01T09:00:00Z --every week --times 4',
    ),
    "due": ("cogm due", 'cogm due "Anna calls"'),
    "intentions": ("cogm intentions --state open",),
    "settle": ("cogm settle b2b1bd483989 done",),
    "procedures": ("cogm procedures",),
    "review list": ("cogm review list",),
    "review approve": ("cogm review approve b2b1bd483989",),
    "review reject": ("cogm review reject b2b1bd483989",),
    "principal": ("cogm principal ann", "cogm principal scout --kind agent --owner ann"),
    "principals": ("cogm principals",),
    "grant": (
        "cogm grant ann 'team/*' write",
        "cogm grant scout team/salaries read --deny --reason 'not for agents'",
    ),
    "grants": ("cogm grants", "cogm grants ann --revoked"),
    "revoke": ("cogm revoke b2b1bd483989",),
    "access": ("cogm access --of scout --limit 50",),
    "dream": ("cogm dream --dry-run", "cogm dream --all --on threads --workers 4"),
    "compact": ("cogm compact",),
    "tick": ("cogm tick --all",),
    "runs": ("cogm runs --limit 5",),
    "undo": ("cogm undo last",),
    "profile": ("cogm profile -n alice", "cogm profile Lena --as-of 2026-01-01"),
    "forecast": ("cogm forecast --days 30",),
    "namespaces": ("cogm namespaces",),
    "health": ("cogm health -n alice", "cogm health --json"),
    "report": ("cogm report alice.html -n alice",),
    "doctor": ("cogm doctor", "cogm doctor --repair"),
    "audit": ("cogm audit",),
    "log": ("cogm log --op recall --limit 5",),
    "export": (
        "cogm export alice.jsonl -n alice",
        "cogm export --all ./exports",
        "cogm export --format markdown ./vault",
        "cogm export - | gzip",
    ),
    "import": (
        "cogm import alice.jsonl -n alice",
        "cogm import conversations.json --format chatgpt",
        "cogm import ./vault --dry-run",
    ),
    "backup": ("cogm backup brain-2026-11-26.sqlite", "cogm backup ./backups/monday"),
    "restore-backup": ("cogm restore-backup brain-2026-11-26.sqlite --path ./brain",),
    "reindex": ("cogm reindex", "cogm reindex --embedder minilm"),
    "mcp": ("cogm mcp", "cogm mcp -n my-project --read-only"),
    "hooks install": (
        "cogm hooks install claude-code --dry-run",
        "cogm hooks install codex -n my-project --project .",
    ),
    "hooks uninstall": ("cogm hooks uninstall claude-code",),
    "hooks run": ("cat event.json | cogm hooks run codex",),
    "config show": ("cogm config show retrieval --changed",),
    "config describe": ("cogm config describe retrieval.pool",),
    "config set": (
        "cogm config set retrieval.pool 50",
        "cogm config set preset v9",
        "cogm config set retrieval.pool --default",
    ),
    "serve": (
        "cogm serve",
        "cogm serve --demo",
        "cogm serve --host 0.0.0.0 --host-name memory.example",
    ),
    "demo": ("cogm demo",),
    "keys add": (
        "cogm keys add laptop --scope write -n alice",
        'cogm keys add team --scope read --scope review --allow "team/*" --days 90',
    ),
    "keys list": ("cogm keys list",),
    "keys revoke": ("cogm keys revoke 1f2e3d4c",),
    "keys sessions end": ("cogm keys sessions end", "cogm keys sessions end 1f2e3d4c"),
    "models fetch": ("cogm models fetch",),
    "models list": ("cogm models list",),
    "languages check": ("cogm languages check eo.toml",),
    "eval locomo": ("cogm eval locomo locomo10.json",),
    "eval lives": ("cogm eval lives lives.json",),
    "eval gate": ("cogm eval gate gate.json",),
    "eval feedback": ("cogm eval feedback feedback.json",),
    "eval times": ("cogm eval times times.json",),
    "eval registers": ("cogm eval registers", "cogm eval registers banks/"),
    "eval calibrate": ("cogm eval calibrate locomo10.json --statements bank.json",),
}
"""By command, with the name of its group."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Every day": ("init", "remember", "recall", "profile", "list", "forget", "namespaces"),
    "One memory": (
        *("show", "why", "history", "edit", "supersede", "end"),
        *("pin", "unpin", "restore"),
    ),
    "Never kept": ("seal", "unseal"),
    "Conversations and tasks": (
        *("learnt", "feedback", "intend", "due", "intentions", "settle", "procedures"),
    ),
    "Sharing": ("principal", "principals", "grant", "grants", "revoke", "access", "review"),
    "Dreaming": ("dream", "compact", "tick", "runs", "undo", "forecast"),
    "Serving": ("serve", "keys", "mcp", "hooks", "demo"),
    "Looking after the bank": (
        *("health", "report", "doctor", "audit", "log", "reindex", "export", "import"),
        *("backup", "restore-backup", "config", "models", "languages", "eval"),
    ),
}
