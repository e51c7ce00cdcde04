"""Takes the pictures of cookbook/guide/serve.md anew: python tests/serve/screenshots.py (`make screenshots`)."""

import sys
import tempfile
from pathlib import Path

from PIL import Image

from helpers.browsing import Visit, chromium
from helpers.serving import served_process

FOLDER = Path(__file__).resolve().parents[2] / "cookbook" / "guide" / "images"
QUESTION = "/ui/ask?namespace=elif&q=Where+do+I+live%3F"
PICTURES = {
    "portrait": ("/ui?namespace=elif", "light"),
    "then": ("/ui?namespace=elif&as_of=2026-03-15", "light"),
    "ask": (QUESTION, "dark"),
    "timeline": ("/ui/timeline?namespace=elif", "light"),
}
_COLOURS = 48
_LARGEST = 100_000


def main() -> None:
    """Serve the story, look at it, keep what is seen."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served_process(Path(folder), "--demo", "--embedder", "minilm") as server,
        chromium() as browser,
    ):
        person = Visit(browser, server.address, viewport={"width": 1280, "height": 860})
        person.page.goto(server.login)
        for name, (path, theme) in PICTURES.items():
            person.page.emulate_media(color_scheme=theme)
            person.see(path)
            target = FOLDER / f"{name}.png"
            person.page.screenshot(path=target)
            Image.open(target).convert("RGB").quantize(_COLOURS).save(target, optimize=True)
            size = target.stat().st_size
            assert size <= _LARGEST, f"{target} has {size:,} bytes"
            sys.stdout.write(f"{target.relative_to(FOLDER.parents[2])}: {size:,} bytes\n")
        person.close()


if __name__ == "__main__":
    main()
