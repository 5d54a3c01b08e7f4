/**
 * Script of a page: draws its charts, and filters and shows its rows. Rows are made when they are scrolled to: of 10,000 rows a
 * filter compares texts, and draws the first matches. A printed page has all of them.
 */
export const PAGE_SCRIPT = `
(() => {
  const { charts, columns, rows } = JSON.parse(document.getElementById('data').textContent)
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
  const names = { main: 'main', quiet: 'before', up: 'up', down: 'down' }
  const number = new Intl.NumberFormat('sv-SE', { maximumFractionDigits: 2 })

  const draw = (place, width) => {
    const { labels, series, unit, axis: over } = charts[Number(place.dataset.chart)]
    const amount = (value) => value == null ? '' : number.format(value) + (unit ? ' ' + unit : '')
    const bars = series.filter((one) => one.kind === 'bars').length
    const axis = { stroke: () => colour('quiet'), grid: { stroke: () => colour('line'), width: 1 }, ticks: { stroke: () => colour('line'), width: 1 } }
    const longest = labels.reduce((most, label) => Math.max(most, label.length), 0)
    const plot = new uPlot({
      width: width ?? place.clientWidth,
      height: 260,
      padding: [12, 30, 0, 0],
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.6, labels.length - 0.4] },
        y: { range: (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        {
          ...axis, grid: { show: false }, space: Math.max(30, longest * 7 + 10),
          incrs: [1, 2, 3, 4, 5, 7, 10, 14, 15, 20, 28, 30, 50, 60, 90, 100, 200, 365, 500, 1000],
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? (labels[at] ?? '') : '')),
        },
        { ...axis, size: 64, values: (_, splits) => splits.map((value) => number.format(value)) },
      ],
      series: [
        // Where no bar is pointed at, the legend has the sums.
        { label: over, value: (_, at) => at == null ? 'all' : (labels[at] ?? '') },
        ...series.map(({ name, kind, colour: tone, values }) => ({
          label: name,
          value: (_, value, __, at) => amount(at == null ? values.reduce((sum, each) => sum + (each ?? 0), 0) : value),
          stroke: () => colour(names[tone]),
          width: kind === 'line' ? 2 : 0,
          fill: kind === 'line' ? undefined : () => colour(names[tone]),
          paths: kind === 'line' ? undefined : uPlot.paths.bars({ size: [bars > 1 ? 0.9 : 0.8, 60] }),
          points: { show: kind === 'line' && labels.length < 40, size: 6, fill: () => colour(names[tone]) },
        })),
      ],
    }, [labels.map((_, at) => at), ...series.map((one) => one.values)], place)
    return { plot, place }
  }
  let plots = [...document.querySelectorAll('[data-chart]')].map((place) => draw(place))
  // Drawn again, because the colours of its legend are set when it is made.
  const redraw = (width) => {
    plots = plots.map(({ plot, place }) => {
      plot.destroy()
      return draw(place, width)
    })
  }
  addEventListener('resize', () => {
    for (const { plot, place } of plots) plot.setSize({ width: place.clientWidth, height: 260 })
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw())

  const body = document.getElementById('body')
  const filter = document.getElementById('filter')
  const state = document.getElementById('state')
  const firstText = columns.findIndex((column) => column.kind === 'text')
  const texts = rows.map(([cells, note]) => [...cells.filter((cell, at) => columns[at].kind !== 'picture' && columns[at].kind !== 'bar'), note].join(' ').toLowerCase())
  const cell = (value, column, note) => {
    const made = document.createElement('td')
    made.className = [column.kind === 'text' ? '' : column.kind, column.wide ? 'wide' : '', column.toned ? 'toned' : ''].join(' ').trim()
    if (column.kind === 'bar') {
      if (value > 0) {
        const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
        const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
        for (const [name, text] of [['width', '100%'], ['height', '10'], ['aria-hidden', 'true']]) svg.setAttribute(name, text)
        for (const [name, text] of [['width', Math.round(value * 1000) / 10 + '%'], ['height', '10'], ['rx', '2']]) rect.setAttribute(name, text)
        svg.append(rect)
        made.append(svg)
      }
    } else if (column.kind === 'picture') {
      if (value) {
        const image = new Image(40, 40)
        image.loading = 'lazy'
        image.alt = ''
        image.src = value
        made.append(image)
      }
    } else {
      made.textContent = value
      if (note) {
        const words = document.createElement('span')
        words.className = 'note'
        words.textContent = note
        made.append(words)
      }
    }
    return made
  }
  const PIECE = 60
  let found = []
  let made = 0
  const makeMore = (count) => {
    const piece = document.createDocumentFragment()
    for (const end = Math.min(found.length, made + count); made < end; made++) {
      const [cells, note, , tone] = rows[found[made]]
      const row = document.createElement('tr')
      if (tone) row.className = tone
      columns.forEach((column, at) => row.append(cell(cells[at], column, at === firstText ? note : '')))
      piece.append(row)
    }
    body.append(piece)
  }
  const show = () => {
    const words = filter.value.toLowerCase().split(/\\s+/).filter((word) => word !== '')
    const wanted = state ? state.value : ''
    found = []
    for (let at = 0; at < rows.length; at++) {
      if (wanted !== '' && rows[at][2] !== wanted) continue
      if (words.every((word) => texts[at].includes(word))) found.push(at)
    }
    body.replaceChildren()
    made = 0
    makeMore(PIECE)
    document.getElementById('empty').hidden = found.length > 0
    document.getElementById('count').textContent = found.length === rows.length ? number.format(rows.length) + ' rows' : number.format(found.length) + ' of ' + number.format(rows.length) + ' rows'
  }
  const end = document.createElement('div')
  body.parentElement.after(end)
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) makeMore(PIECE) }, { rootMargin: '800px' }).observe(end)
  addEventListener('scroll', () => { if (made < found.length && end.getBoundingClientRect().top < innerHeight + 800) makeMore(PIECE) }, { passive: true })
  filter.addEventListener('input', show)
  if (state) state.addEventListener('change', show)
  show()

  addEventListener('beforeprint', () => {
    document.documentElement.classList.add('printing')
    makeMore(found.length)
    redraw(680)
  })
  addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing')
    redraw()
  })
})()
`
