// Shows how far a piece of work is. Without this script the page loads itself anew every second.
"use strict";
const work = document.querySelector("[data-events]");
const bar = work.querySelector("progress");
const source = new EventSource(work.dataset.events);
source.onmessage = (event) => {
  const told = JSON.parse(event.data);
  if (told.finished) {
    source.close();
    location.reload();
    return;
  }
  if (told.step) work.querySelector("p").textContent = told.step;
  if (told.total) {
    bar.max = told.total;
    bar.value = told.done;
  }
};
source.onerror = () => {
  if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 1000);
};
