// Checks that run within a page; page_checks.py calls them. Each returns a list of complaints, if nothing else is said.

const FOCUSABLE = 'a[href], button, input, summary, [tabindex="0"]';

const partsOfColour = (text) => text.match(/[\d.]+/g).map(Number);
const isShown = (element) => element.getClientRects().length > 0;

// Relative luminance and contrast of WCAG 2, of colours like rgb(1, 2, 3).
function luminance(colour) {
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = partsOfColour(colour).map((value) => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function paperOf(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    const found = partsOfColour(colour);
    if (found.length === 3 || found[3] > 0) return colour;
  }
  return 'rgb(255, 255, 255)';
}

function fromHex(hex) {
  return `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
}

// Texts of the page, and those that are drawn on canvases.
function lowContrast(least) {
  const complaints = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || /^(SCRIPT|NOSCRIPT)$/.test(element.tagName) || !isShown(element)) continue;
    const [ink, paper] = [getComputedStyle(element).color, paperOf(element)];
    if (contrast(ink, paper) < least) complaints.add(`${ink} on ${paper}: ${text.slice(0, 40)}`);
  }
  const all = colours();
  for (const ink of ['ink', 'soft'])
    if (contrast(fromHex(all[ink]), fromHex(all.paper)) < least) complaints.add(`${ink} on canvases`);
  for (const [kind, , name] of KINDS)
    if (contrast(fromHex(all[name]), fromHex(textOn(all[name]))) < least) complaints.add(`names of events: ${kind}`);
  return [...complaints];
}

function overflow() {
  const room = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth;
  if (wide <= room) return [];
  const beyond = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > room + 1);
  return [`the page is ${wide} wide, the window ${room}`, ...beyond.slice(0, 3).map((e) => e.outerHTML.slice(0, 80))];
}

// Canvases with fewer than three colours: a drawing has data, lines and texts.
function blankCanvases() {
  const isBlank = (canvas) => {
    if (!canvas.width || !canvas.height) return true;
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(new Uint32Array(pixels.buffer)).size < 3;
  };
  return [...document.querySelectorAll('canvas')].filter(isBlank).map((e) => `blank: ${e.getAttribute('aria-label')}`);
}

// Texts on canvases that reach above or below the canvas. Everything is drawn once more to see them.
function cutTexts() {
  const complaints = [];
  const kind = CanvasRenderingContext2D.prototype;
  const before = kind.fillText;
  kind.fillText = function(text, x, y) {
    const {actualBoundingBoxAscent: above, actualBoundingBoxDescent: below} = this.measureText(text);
    if (y - above < 0 || y + below > this.canvas.clientHeight)
      complaints.push(`cut: ${text} in ${this.canvas.getAttribute('aria-label')}`);
    before.call(this, text, x, y);
  };
  for (const drawing of drawings) drawing.redraw();
  kind.fillText = before;
  return complaints;
}

// Headings in order, landmarks, a sentence for each drawing, a label for each input.
function structure() {
  const complaints = [];
  let last = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) complaints.push(`${heading.tagName} "${heading.textContent}" after H${last}`);
    if (!heading.textContent.trim()) complaints.push(`empty ${heading.tagName}`);
    last = level;
  }
  for (const one of ['h1', 'body > header', 'body > main', 'body > footer'])
    if (document.querySelectorAll(one).length !== 1) complaints.push(`not one ${one}`);
  for (const drawing of document.querySelectorAll('canvas, [role=img]')) {
    const sentence = drawing.getAttribute('role') === 'img' && drawing.getAttribute('aria-label');
    if (!/\w+ .*\.$/.test(sentence || '')) complaints.push(`no sentence: ${drawing.outerHTML.slice(0, 80)}`);
  }
  for (const input of document.querySelectorAll('input'))
    if (!input.labels.length) complaints.push(`no label: ${input.id}`);
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  if (new Set(ids).size !== ids.length) complaints.push('an id is used twice');
  return complaints;
}

// Notes how each control looks when it gets the focus; returns how many controls there are.
function watchFocus() {
  document.activeElement.blur();
  window.scrollTo(0, 0);
  const all = [...document.querySelectorAll(FOCUSABLE)].filter(isShown);
  all.forEach((element, i) => {
    element.dataset.tab = i;
  });
  window.focused = {};
  document.addEventListener('focusin', ({target}) => {
    const {outlineStyle, outlineWidth, outlineColor} = getComputedStyle(target);
    const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    window.focused[target.dataset.tab] = visible && contrast(outlineColor, paperOf(target.parentElement)) >= 3;
  });
  return all.length;
}

function unfocused() {
  return [...document.querySelectorAll('[data-tab]')].flatMap((element) => {
    const visible = window.focused[element.dataset.tab];
    const name = element.id || element.textContent.slice(0, 40) || element.className;
    return visible ? [] : [visible === undefined ? `Tab does not reach ${name}` : `no visible focus: ${name}`];
  });
}

// Where elements lie, as shares of the page's size: left, top, width, height.
function partsOf(selector, width, height) {
  const rects = [...document.querySelectorAll(selector)].filter(isShown).map((e) => e.getBoundingClientRect());
  const shares = (r) => [r.left / width, (r.top + window.scrollY) / height, r.width / width, r.height / height];
  return rects.map((rect) => shares(rect).map((share) => Number(share.toFixed(5))));
}

function loadPicture(png) {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.src = `data:image/png;base64,${png}`;
  });
}

// Grey values of a part of a picture, scaled to some size. Shares of areas survive that, letters do not.
function greyValues(image, [left, top, wide, tall], width, height) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  const [across, down] = [image.width, image.height];
  context.drawImage(image, left * across, top * down, wide * across, tall * down, 0, 0, width, height);
  const {data} = context.getImageData(0, 0, width, height);
  const values = [];
  for (let i = 0; i < data.length; i += 4)
    values.push(Math.round(0.3 * data[i] + 0.59 * data[i + 1] + 0.11 * data[i + 2]));
  return values;
}

async function greyPicture(png) {
  const image = await loadPicture(png);
  return [image.width, image.height, greyValues(image, [0, 0, 1, 1], image.width, image.height)];
}

// Of two screenshots with as many parts: the mean difference of each part.
async function differences(...shots) {
  const images = await Promise.all(shots.slice(0, 2).map((shot) => loadPicture(shot.png)));
  return shots[0].parts.map((_, part) => {
    const [a, b] = images.map((image, i) => greyValues(image, shots[i].parts[part], 16, 8));
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
  });
}
