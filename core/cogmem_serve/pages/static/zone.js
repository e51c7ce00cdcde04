// Tells the server once in which time zone the reader is. Without this script times are in UTC, and the page says so.
"use strict";
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.cookie = `cogm_zone=${zone}; path=/; max-age=31536000; samesite=strict`;
if (document.cookie.includes("cogm_zone=")) location.reload();
