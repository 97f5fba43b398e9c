// Elements of the page: headings, tables, legends, and the small box beside the pointer.

const MOST_ROWS = 200;  // of a data table: more are hard to read, and slow to lay out

// el("p", { class: "note" }, "text", child, ...): null children are left out.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'style')
      Object.assign(element.style, value);
    else
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A section of the page, which the list of contents also names.
function addSection(id, title, ...children) {
  const section =
      el('section', {id, 'aria-labelledby': `${id}-title`}, el('h2', {id: `${id}-title`}, title), ...children);
  document.getElementById('main').append(section);
  return section;
}

// Names with texts.
function factList(facts, wide) {
  const pairs = facts.filter(Boolean).map(([name, text]) => {
    const pair = [el('dt', null, name), el('dd', null, String(text))];
    return wide ? el('div', null, ...pair) : pair;
  });
  return el('dl', {class: wide ? 'facts wide' : 'facts'}, ...pairs);
}

// Entries of [name, figure, what to say beneath it].
function tiles(entries) {
  const shown = entries.filter(Boolean).map(([name, figure, aside]) => {
    const [, number, unit] = figure.match(/^(.*?)( [^\d ]+)?$/);
    return el(
        'div', null, el('dt', null, name), el('dd', {class: 'figure'}, number, unit ? el('small', null, unit) : null),
        aside ? el('dd', {class: 'aside'}, aside) : null);
  });
  return el('dl', {class: 'tiles'}, ...shown);
}

// `numbers` says which columns are aligned to the right; cells are texts or elements.
function dataTable(caption, columns, rows, numbers, classes) {
  const side = (column) => (numbers && numbers[column] ? 'number' : null);
  const head = el('tr', null, ...columns.map((name, i) => el('th', {scope: 'col', class: side(i)}, name)));
  const body =
      rows.slice(0, MOST_ROWS)
          .map(
              (row) =>
                  el('tr', null,
                     ...row.map(
                         (cell, i) => el(
                             i ? 'td' : 'th',
                             {scope: i ? null : 'row', class: side(i), 'data-head': i ? columns[i] : null}, cell))));
  const table =
      el('table', null, caption ? el('caption', null, caption) : null, el('thead', null, head),
         el('tbody', null, ...body));
  const cut = rows.length > MOST_ROWS ?
      el('p', {class: 'note'}, `The first ${MOST_ROWS} of ${formatCount(rows.length)} rows are shown.`) :
      null;
  return [scrollable(table, caption || 'Table', classes), cut];
}

// Wide tables scroll in a box of their own. It takes the focus only while there is something to scroll to.
function scrollable(table, name, classes) {
  const box = el('div', {class: classes ? `table ${classes}` : 'table'}, table);
  const update = () => {
    const scrolls = box.scrollWidth > box.clientWidth + 1;
    for (const [key, value] of [['tabindex', '0'], ['role', 'region'], ['aria-label', name]])
      if (scrolls)
        box.setAttribute(key, value);
      else
        box.removeAttribute(key);
  };
  new ResizeObserver(update).observe(box);
  return box;
}

// A data table to open. Rows are made when they are first seen, so that a page with many tables opens at once.
function tableDetails(title, columns, makeRows, numbers, longTable) {
  const details = el('details', {'data-long': longTable}, el('summary', null, title));
  details.fill = () => {
    if (details.children.length === 1) details.append(...dataTable('', columns, makeRows(), numbers).filter(Boolean));
  };
  details.addEventListener('toggle', () => details.open && details.fill());
  return details;
}

function upperFirst(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : '';
}

function swatch(colour, line) {
  return el('span', {class: line ? 'swatch line' : 'swatch', style: {background: `var(--${colour})`}});
}

// Entries: { name, colour, line, text }. Returns the list and its places for values.
function legend(entries) {
  const values = entries.map((entry) => el('b', null, entry.text || ''));
  const items = entries.map(
      (entry, i) => el('li', null, swatch(entry.colour, entry.line), el('span', null, entry.name), values[i]));
  return {list: el('ul', {class: 'legend'}, ...items), values};
}

// A bar of HTML; tables that have bars also have the figures, so readers of the screen skip it.
function bar(share, classes) {
  const percent = Math.max(0, Math.min(100, 100 * share));
  return el('span', {class: `bar ${classes || ''}`, 'aria-hidden': 'true', style: {width: `${percent}%`}});
}

// The box beside the pointer: a title and pairs of name and text, at a place on the page.
function showTip(title, pairs, pageX, pageY) {
  const tip = document.getElementById('tip');
  tip.replaceChildren(
      el('strong', null, title), ...pairs.map(([name, text]) => el('span', null, el('i', null, name), text)));
  tip.hidden = false;
  const room = document.documentElement.clientWidth;
  const left = Math.min(pageX + 14, room - tip.offsetWidth - 8);
  const below = pageY + 18;
  const bottom = window.scrollY + window.innerHeight;
  const top = below + tip.offsetHeight > bottom ? pageY - tip.offsetHeight - 12 : below;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(0, top)}px`;
}

function hideTip() {
  document.getElementById('tip').hidden = true;
}
