// The sections of text, tables and bars: summary, answer, plan, prediction, plans, benchmark, machine.

const PHASES = [
  ['compute', 'computing', 'compute'],
  ['help', 'the cpu helps', 'cpu'],
  ['copy', 'copying over the link', 'copy'],
  ['disk', 'reading from disk', 'disk'],
  ['exchange', 'exchanging', 'exchange'],
  ['wait', 'waiting', 'wait'],
];

function addHeader(data) {
  const about = [data.millrace ? `Millrace ${data.millrace}` : 'Millrace', data.date].filter(Boolean).join(' · ');
  const toggle = el('button', {type: 'button', id: 'theme'});
  document.getElementById('top').append(
      el('div', {class: 'above'}, el('span', null, about), toggle),
      ...[el('h1', null, data.title || 'Report'), data.command ? commandLine(data.command) : null,
          data.shortfall ? el('p', {class: 'warning', role: 'note'}, el('strong', null, 'Warning: '), data.shortfall) :
                           null]
          .filter(Boolean));
  document.title = `${data.title || 'Report'} – Millrace`;
}

// Lines break between words only: a browser would also break after the dashes of an option.
function commandLine(command) {
  return el(
      'code', {class: 'command'},
      ...command.split(/(\s+)/).map((word) => (word.trim() ? el('span', null, word) : word)));
}

function addSummary(data) {
  const {measured, predicted} = data;
  if (!measured) return;
  const seconds = measured.seconds;
  const phases = measured.phases || {};
  const far = [['link', measured.link_bytes], ['disk', measured.disk_bytes]].filter(([, bytes]) => bytes > 0);
  addSection(
      'summary', 'Summary', tiles([
        [
          'Time', formatSeconds(seconds),
          predicted && predicted.shown ? `predicted: ${formatSeconds(predicted.seconds)}` : 'of the algorithm alone'
        ],
        isNumber(measured.gteps) && measured.gteps > 0 ?
            [
              'Speed', `${digits(measured.gteps)} GTEPS`,
              'billions of edges a second' +
                  (isNumber(measured.edges_traversed) ? `; ${formatShort(measured.edges_traversed)} in all` : '')
            ] :
            null,
        measured.supersteps > 0 ?
            [
              'Supersteps', formatCount(measured.supersteps),
              `rounds of the algorithm; ${formatSeconds(seconds / measured.supersteps)} each, on average`
            ] :
            null,
        ...far.map(
            ([name, bytes]) =>
                [name === 'link' ? 'Over the link' : 'From disk', formatBytes(bytes),
                 `${formatRate(bytes / seconds)} over the run`]),
        isNumber(measured.cache_hit_rate) ?
            ['Page cache', formatShare(measured.cache_hit_rate), `of the bytes that ${
               measured.helped_bytes > 0 ? 'the GPU' : 'the run'} needed were there`] :
            null,
        phases.wait > 0 && seconds > 0 ?
            ['Waiting', formatShare(phases.wait / seconds), measured.helped_bytes > 0 ?
                'of the time, the GPU computed nothing; the cpu may have helped' :
                'of the time, no device computed'] :
            null,
      ]),
      otherTimes(measured));
}

function otherTimes(measured) {
  const parts = [];
  if (measured.load_seconds > 0) parts.push(`Loading before the run took ${formatSeconds(measured.load_seconds)}.`);
  if (measured.result_seconds > 0)
    parts.push(`Copying the results to the host took ${formatSeconds(measured.result_seconds)}.`);
  if (measured.bytes_moved > 0)
    parts.push(`The run read ${formatBytes(measured.bytes_moved)} of compressed edges.`);
  return parts.length ? el('p', {class: 'note', style: {marginTop: '0.75rem'}}, parts.join(' ')) : null;
}

function addAnswer(answer) {
  if (!answer) return;
  const filled = (list, key) => (list || []).filter((one) => one[key] && one[key].length);
  const [facts, tops, charts] = [answer.facts || [], filled(answer.tops, 'rows'), filled(answer.charts, 'bars')];
  if (facts.length + tops.length + charts.length === 0) return;
  const parts = [...tops.map(topTable), ...charts.map(columnChart)];
  addSection(
      'answer', 'Result', facts.length ? factList(facts, true) : null,
      parts.length ? el('div', {class: 'columns'}, ...parts) : null);
}

function topTable(top) {
  const rows = (top.rows || []).slice(0, MOST_ROWS);
  const largest = largestOf(rows.map((row) => row[2]));
  const body = rows.map(
      ([name, text, value]) =>
          el('tr', null, el('th', {scope: 'row'}, name), el('td', {class: 'number'}, text),
             el('td', {class: 'graph', 'aria-hidden': 'true'}, bar(largest > 0 ? value / largest : 0))));
  const head =
      el('tr', null, el('th', {scope: 'col'}, top.vertex || 'vertex'),
         el('th', {scope: 'col', class: 'number'}, top.value || 'value'), el('td', {class: 'graph'}));
  const cut = (top.rows || []).length > MOST_ROWS ?
      el('p', {class: 'note'}, `The first ${MOST_ROWS} of ${formatCount(top.rows.length)} rows are shown.`) :
      null;
  const table = el('table', null, el('thead', null, head), el('tbody', null, ...body));
  return el('div', {class: 'chart'}, el('h3', null, upperFirst(top.title)), scrollable(table, top.title), cut);
}

// Pages on a device may be in host memory too, and those in host memory on disk: each byte is counted once, at the
// place nearest to the computation.
function pagePlaces(pages, device) {
  const all = pages.bytes || 0;
  const near = Math.min(all, pages.on_devices || 0);
  const host = Math.min(all - near, pages.in_host_memory || 0);
  return [
    [`on ${device || 'devices'}`, near, 'compute'], ['in host memory alone', host, 'cached'],
    ['on disk alone', all - near - host, 'disk']
  ].filter(([, bytes]) => bytes > 0)
      .map(([name, bytes, colour]) => ({name, bytes, colour}));
}

function addPlan(plan) {
  if (!plan) return;
  const parts = [];
  if (plan.text) parts.push(el('p', null, plan.text));
  if (plan.pages && plan.pages.bytes > 0) {
    const places = pagePlaces(plan.pages, (plan.device || '').split(',').filter((name) => name !== 'cpu').join(', '));
    const share = (place) => `${formatBytes(place.bytes)} (${formatShare(place.bytes / plan.pages.bytes)})`;
    const sentences = places.map((place) => `${share(place)} are ${place.name}`).join(', ');
    const finding = `Of ${formatBytes(plan.pages.bytes)} of pages, ${sentences}.`;
    parts.push(
        el('h3', null, `Pages, which hold the edges: ${formatBytes(plan.pages.bytes)}`),
        el('div', {class: 'stack', role: 'img', 'aria-label': finding},
           ...places.map(
               (place) => el('span', {
                 style: {width: `${(100 * place.bytes) / plan.pages.bytes}%`, background: `var(--${place.colour})`}
               }))),
        legend(places.map((place) => ({...place, text: share(place)}))).list);
  }
  const size = (name, bytes) => (isNumber(bytes) ? [name, formatBytes(bytes)] : null);
  parts.push(factList(
      [
        plan.device ? ['device', plan.device] : null, size('values of the vertices', plan.attributes),
        size('most host memory in use', plan.host_memory), plan.direction ? ['push or pull', plan.direction] : null
      ],
      true));
  addSection('plan', 'Where the data lies', ...parts);
}

// Groups of rows [name, predicted, measured]; the bars of a group share one scale, and a count has none.
function comparedRows(predicted, measured) {
  const [guess, fact] = [predicted || {}, measured || {}];
  const [guessed, took] = [guess.phases || {}, fact.phases || {}];
  const byte = (name, key) => [name, guess[key], fact[key]];
  const groups = [
    [
      'Time', formatSeconds,
      [
        ['time of the run', guess.seconds, fact.seconds],
        ...PHASES.map(([key, name]) => [name, guessed[key], took[key]])
      ]
    ],
    [
      'Data', formatBytes,
      [
        byte('bytes over the link', 'link_bytes'), byte('bytes from disk', 'disk_bytes'),
        byte('bytes taken by the cpu', 'helped_bytes'), byte('bytes exchanged', 'exchanged_bytes')
      ]
    ],
    ['Number', formatCount, [['supersteps', guess.supersteps, fact.supersteps]]],
  ];
  return groups.map(([title, format, rows]) => [title, format, rows.filter(([, a, b]) => a > 0 || b > 0)])
      .filter(([, , rows]) => rows.length);
}

// Without figures of a prediction that does not say enough, and without ratios where it is not to be compared.
function addComparison(prediction, measured) {
  const predicted = prediction && prediction.shown ? prediction : null;
  const groups = comparedRows(predicted, measured);
  if (!groups.length || (!predicted && !measured)) return;
  const both = predicted && measured;
  const compared = both && predicted.compared;
  const heads = [
    '', '', ...(predicted ? ['predicted'] : []), ...(measured ? ['measured'] : []),
    ...(compared ? ['measured / predicted'] : [])
  ];
  const bodies = groups.map(([title, format, entries]) => {
    const largest = largestOf(entries.flatMap(([, a, b]) => [a || 0, b || 0]));
    const share = (value) => (format !== formatCount && value > 0 ? value / largest : 0);
    const rows = entries.map(([name, a, b]) => {
      const number = (value, head) =>
          el('td', {class: isNumber(value) ? 'number' : 'number empty', 'data-head': head}, format(value));
      const ratio = a > 0 && isNumber(b) ? b / a : null;
      return el(
          'tr', null, el('th', {scope: 'row'}, name),
          el('td', {class: 'graph'}, share(a) ? bar(share(a), 'thin predicted') : null,
             share(b) ? bar(share(b), 'thin') : null),
          predicted ? number(a, 'predicted') : null, measured ? number(b, 'measured') : null,
          compared ?
              el('td', {class: ratio === null ? 'number empty' : 'number', 'data-head': 'ratio'}, formatRatio(ratio)) :
              null);
    });
    const heading = el('th', {scope: 'rowgroup', colspan: String(heads.length)}, title);
    return el('tbody', null, el('tr', {class: 'group'}, heading), ...rows);
  });
  const head =
      el('tr', null, ...heads.map((name, i) => (i > 1 ? el('th', {scope: 'col', class: 'number'}, name) : el('td'))));
  const title = both ? 'Predicted and measured' : predicted ? 'Predicted' : 'Measured';
  addSection(
      'prediction', title, el('p', null, comparisonText(prediction, measured)),
      legend([
        ...(predicted ? [{name: 'predicted', colour: 'predicted'}] : []),
        ...(measured ? [{name: 'measured', colour: 'compute'}] : [])
      ]).list,
      scrollable(el('table', null, el('thead', null, head), ...bodies), title, 'blocks'),
      el('p', {class: 'note'},
         'Bars of time have one scale, and bars of data another. Computing and waiting add up to the time in supersteps. The other times overlap with them, so the rows ' +
             'do not add up to the time of the run.'));
}

function comparisonText(predicted, measured) {
  const took = measured ? `The run took ${formatSeconds(measured.seconds)}.` : '';
  if (!predicted) return `${took} Nothing was predicted.`;
  if (!predicted.shown) return `${took} Predicted was ${predicted.text}.`;
  const bound = predicted.bound ? `, bound by ${predicted.bound}` : '';
  if (!measured) return `The run should take ${formatSeconds(predicted.seconds)}${bound}.`;
  const texts = [`The prediction was ${formatSeconds(predicted.seconds)}${bound}.`, took];
  if (!predicted.compared) return texts.join(' ');
  const ratio = measured.seconds / predicted.seconds;
  if (ratio > 1.005) texts.push(`It took ${digits(ratio)} times as long as predicted.`);
  if (ratio < 0.995) texts.push(`It took ${formatShare(1 - ratio)} less time than predicted.`);
  return texts.join(' ');
}

// A plan has seconds, or a text where its prediction does not say enough to be compared.
function addPlans(plans) {
  if (!plans || !plans.length) return;
  const said = (plan) => isNumber(plan.seconds) || Boolean(plan.text);
  const timed = plans.filter((plan) => isNumber(plan.seconds));
  const largest = largestOf(timed.map((plan) => plan.seconds));
  const chosen = plans.find((plan) => plan.chosen);
  const fastest = chosen && isNumber(chosen.seconds) ? chosen.seconds : null;
  const rows = plans.map((plan) => {
    const ratio = fastest > 0 && isNumber(plan.seconds) ? plan.seconds / fastest : null;
    const why = plan.problem ||
        (plan.chosen        ? 'chosen' :
             !plan.fits     ? 'does not fit' :
             !said(plan)    ? 'no prediction' :
             ratio === null ? '' :
             ratio >= 1     ? `slower: ${formatRatio(ratio)}` :
                              `faster: ${formatRatio(ratio)}`);
    return el(
        'tr', {class: plan.chosen ? 'chosen' : null},
        el('th', {scope: 'row'}, [plan.device, plan.strategy].filter(Boolean).join(', ')),
        el('td', {class: 'graph'},
           isNumber(plan.seconds) ? bar(plan.seconds / largest, plan.chosen ? '' : 'plain') : null),
        plan.text ?
            el('td', {class: 'text', 'data-head': 'predicted'}, plan.text) :
            el('td', {class: isNumber(plan.seconds) ? 'number' : 'number empty', 'data-head': 'predicted'},
               formatSeconds(plan.seconds)),
        el('td', {class: plan.bound ? 'text' : 'empty', 'data-head': 'bound by'}, plan.bound || ''),
        el('td', {class: 'text'}, why));
  });
  const head =
      el('tr', null, el('th', {scope: 'col'}, 'plan'), el('td'), el('th', {scope: 'col', class: 'number'}, 'predicted'),
         el('th', {scope: 'col'}, 'bound by'), el('th', {scope: 'col'}, 'verdict'));
  addSection(
      'plans', 'Plans compared',
      el('p', null,
         plans.some(said) ?
             'The plan with the shortest predicted time was taken, unless the command named a device. Plans that keep values of vertices in a file or in host memory are taken only if no other fits.' :
                            'Nothing was predicted: a GPU was taken before the cpu, unless the command named a device.'),
      scrollable(el('table', null, el('thead', null, head), el('tbody', null, ...rows)), 'Plans compared', 'blocks'));
}

function addBench(bench) {
  if (!bench) return;
  const bars = bench.bars || [];
  const parts = [];
  if (bars.length) {
    const largest = largestOf(bars.map((entry) => entry[2]));
    const rows = bars.map(
        ([name, text, value]) =>
            el('tr', null, el('th', {scope: 'row'}, name),
               el('td', {class: 'graph'}, bar(largest > 0 ? value / largest : 0)), el('td', {class: 'number'}, text)));
    parts.push(
        el('h3', null, 'Time of each measurement'),
        scrollable(el('table', {class: 'bars'}, el('tbody', null, ...rows)), 'Time of each measurement', 'blocks'));
  }
  if (bench.rows && bench.rows.length) {
    const number = bench.columns.map((_, i) => bench.rows.every((row) => /^[\d.,]|^[–-]?$/.test(String(row[i]))));
    parts.push(
        el('h3', {style: {marginTop: '2rem'}}, 'All figures'),
        ...dataTable('', bench.columns, bench.rows.map((row) => row.map(String)), number, 'blocks').filter(Boolean),
        ...(bench.notes || []).map(([name, text]) => el('p', {class: 'note'}, el('strong', null, name), `: ${text}.`)));
  }
  addSection('bench', 'Measurements', ...parts);
}

function addMachine(machine) {
  if (machine && machine.length) addSection('machine', 'Machine', factList(machine));
}
