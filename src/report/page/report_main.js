// Puts the page together. The order of the files does not matter: everything starts here, after all of them are read.

document.addEventListener('DOMContentLoaded', () => {
  const data = JSON.parse(document.getElementById('data').textContent);
  chooseTheme();
  addHeader(data);
  steerTheme();
  addSummary(data);
  addAnswer(data.answer);
  addBench(data.bench);
  addPlan(data.plan);
  addComparison(data.predicted, data.measured);
  addPlans(data.plans);
  const pick = addSupersteps(data.supersteps);
  const timeline = addTimeline(data.timeline);
  if (pick && timeline) joinSections(pick, timeline);
  addMachine(data.machine);
  addContents();
  const origin = ['Written by Millrace', data.millrace, data.date].filter(Boolean).join(', ').replace(',', '');
  document.getElementById('foot').append(`${origin}. This file needs no network and no other file.`);
  preparePrinting();
  for (const drawing of drawings) drawing.redraw();
  // After two frames the first drawing is on the screen; tests read how long that took.
  const ready = () => {
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  };
  requestAnimationFrame(() => requestAnimationFrame(ready));
});

// The system's choice, until the reader makes another.
function chooseTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
  dark.addEventListener('change', () => {
    setTheme(dark.matches ? 'dark' : 'light');
    nameTheme();
  });
}

function nameTheme() {
  const dark = document.documentElement.dataset.theme === 'dark';
  document.getElementById('theme').textContent = dark ? 'Light colours' : 'Dark colours';
}

function steerTheme() {
  nameTheme();
  document.getElementById('theme').addEventListener('click', () => {
    setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    nameTheme();
  });
}

function addContents() {
  const links = [...document.querySelectorAll('main > section')].map(
      (section) => el('li', null, el('a', {href: `#${section.id}`}, section.querySelector('h2').textContent)));
  if (links.length > 1)
    document.getElementById('contents').append(el('ul', null, ...links));
  else
    document.getElementById('contents').remove();
}

// From a superstep to its part of the timeline.
function joinSections(pick, timeline) {
  const {model} = pick;
  const shown = timeline.model.tracks.some((track) => track.step.some((step) => step >= 0));
  pick.show.hidden = !shown;
  pick.show.addEventListener('click', () => {
    if (!showSupersteps(timeline, model.first(pick.chosen) - 1, model.last(pick.chosen) - 1)) return;
    document.getElementById('timeline').scrollIntoView();
    timeline.box.focus({preventScroll: true});
  });
}

// Paper is light, and nothing on it can be opened: tables are, apart from long ones.
function preparePrinting() {
  let before = null;
  addEventListener('beforeprint', () => {
    const closed = [...document.querySelectorAll('details:not([open]):not([data-long])')];
    before = {theme: document.documentElement.dataset.theme, closed};
    for (const details of closed) {
      details.fill();
      details.open = true;
    }
    setTheme('light');
  });
  addEventListener('afterprint', () => {
    if (!before) return;
    for (const details of before.closed) details.open = false;
    setTheme(before.theme);
    before = null;
  });
}
