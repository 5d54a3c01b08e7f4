// Runs command lines of the product, on Linux and under Wine alike. It is plain JavaScript, because Windows' own Node runs it; Node's pipes to
// its children are Windows' then. Reads JSON from the file that is named, and writes what came of it beside it.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const [order] = process.argv.slice(2)
const { product, cwd, env, steps } = JSON.parse(fs.readFileSync(order, 'utf8'))
const bin = path.join(path.resolve(product), 'bin', 'run.js')
process.chdir(cwd)
const environment = { ...process.env, ...env }
for (const name of ['SELLER_CONFIG_DIR', 'SELLER_DATA_DIR', 'SELLER_CACHE_DIR'])
  environment[name] = path.resolve(environment[name])
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a program. Wine does not always get to make a process in time, and says UNKNOWN: then nothing has run, and it is asked again. */
function spawned(program, args, options, left = 5) {
  try {
    return spawn(program, args, options)
  } catch (error) {
    if (error.code !== 'UNKNOWN' || left === 0) throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    return spawned(program, args, options, left - 1)
  }
}

/** Runs a program to its end. @param killed kills it so many ms after its first output */
function run(program, args, { stdin = '', more = {}, killed, verbatim = false } = {}) {
  return new Promise((resolve) => {
    const child = spawned(program, args, { env: { ...environment, ...more }, windowsVerbatimArguments: verbatim })
    const out = { code: null, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        out[name] += text
      })
    }
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    const timer = setTimeout(() => child.kill('SIGKILL'), killed ?? 90_000)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ ...out, code })
    })
  })
}
const seller = (args, options) => run(process.execPath, [bin, ...args], options)

/** What cmd says of a program that is there and that Wine did not get to start (see `spawned`): nothing of that line has run. */
const NOT_STARTED = `Can't recognize '"`
/** Runs a batch file of one line, again where Wine did not start its program. */
async function batch(name, left = 5) {
  const ended = await run('cmd.exe', ['/d', '/c', name])
  if (!ended.stderr.includes(NOT_STARTED) || left === 0) return ended
  await sleep(500)
  return batch(name, left - 1)
}
const heart = (name) => `const f = require('node:fs'); setInterval(() => f.appendFileSync('${name}', '.'), 50)`
const sizeOf = (name) => (fs.existsSync(name) ? fs.statSync(name).size : 0)

const KINDS = {
  /** One command line, and the text of the file it has written. */
  line: async ({ args, stdin, file, killed }) => ({
    ...(await seller(args, { stdin, killed })),
    ...(file === undefined
      ? {}
      : { file: fs.existsSync(file) ? fs.readFileSync(file, file.endsWith('.xlsx') ? 'base64' : 'utf8') : null }),
  }),
  /** Command lines, and what icacls.exe was called with. Wine's own does nothing, so a copy of Node that notes its words takes its place. */
  rights: async ({ lines }) => {
    const place = path.join(process.env.SystemRoot, 'System32', 'icacls.exe')
    const order = (...words) =>
      run('reg.exe', [words[0], 'HKCU\\Software\\Wine\\DllOverrides', '/v', 'icacls.exe', ...words.slice(1), '/f'])
    fs.rmSync(place)
    fs.copyFileSync(process.execPath, place)
    await order('add', '/d', 'native')
    const note = path.resolve('note.cjs')
    fs.writeFileSync(
      note,
      `if (!process.execPath.endsWith('icacls.exe')) return
require('node:fs').appendFileSync(process.env.RIGHTS, JSON.stringify(process.argv.slice(1)) + '\\n')
process.exit(0)`,
    )
    const more = { RIGHTS: path.resolve('rights.txt'), NODE_OPTIONS: `--require ${note.replaceAll('\\', '/')}` }
    const ended = []
    for (const args of lines) {
      const { code, stderr } = await seller(args, { more })
      const rights = fs.existsSync(more.RIGHTS) ? fs.readFileSync(more.RIGHTS, 'utf8').trim().split('\n') : []
      fs.rmSync(more.RIGHTS, { force: true })
      ended.push({ code, stderr, rights: rights.map((line) => JSON.parse(line)) })
    }
    await order('delete')
    return { ended, person: `${process.env.USERDOMAIN}\\${process.env.USERNAME}` }
  },
  write: async ({ name, text, encoding = 'utf8' }) => fs.writeFileSync(name, Buffer.from(text, encoding)),
  /** Several at once. */
  together: ({ lines }) => Promise.all(lines.map((args) => seller(args))),
  /** A command that is stopped at its time: what it had started must be still. */
  stopped: async ({ args, name }) => {
    const ended = await seller([...args, '--exec', JSON.stringify([process.execPath, '-e', heart(name)])])
    const size = sizeOf(name)
    await sleep(500)
    return { ...ended, began: size > 0, lives: sizeOf(name) !== size }
  },
  /** A batch file as the command: what it was given. */
  batch: async ({ args, words }) => {
    fs.writeFileSync('say.cjs', "require('node:fs').writeFileSync('said.json', JSON.stringify(process.argv.slice(2)))")
    fs.writeFileSync('take it.cmd', `@"${process.execPath}" "%~dp0say.cjs" %*\r\n`)
    const ended = await seller([...args, '--exec', JSON.stringify([path.resolve('take it.cmd'), ...words])])
    return { ...ended, said: fs.existsSync('said.json') ? JSON.parse(fs.readFileSync('said.json', 'utf8')) : null }
  },
  /** The product in a batch file. */
  inBatch: async ({ line }) => {
    fs.writeFileSync('night.bat', `@"${process.execPath}" "${bin}" ${line}\r\n@exit /b %ERRORLEVEL%\r\n`)
    return batch('night.bat')
  },
  /** A batch file of a person's, whose program is in a folder of the path. `started`: Wine started the program of every line. */
  script: async ({ text, folder }) => {
    fs.writeFileSync('script.bat', text.replaceAll('\n', '\r\n'))
    const ended = await run('cmd.exe', ['/d', '/c', 'script.bat'], {
      more: { PATH: `${path.resolve(folder)};${process.env.PATH}` },
      killed: 540_000,
    })
    return { ...ended, started: !ended.stderr.includes(NOT_STARTED) }
  },
  /** Output into a file by cmd, under several code pages. */
  codePages: async ({ pages, line }) => {
    const found = []
    for (const page of pages) {
      fs.writeFileSync('page.bat', `@chcp ${page} >nul\r\n@"${process.execPath}" "${bin}" ${line} > page.txt\r\n`)
      await batch('page.bat')
      found.push(fs.readFileSync('page.txt').toString('base64'))
    }
    return found
  },
  /** A file that another program has open, for a time or for good. */
  held: async ({ file, ms, args }) => {
    fs.writeFileSync(file, 'old')
    const open = fs.openSync(file, 'r')
    const timer = ms === undefined ? undefined : setTimeout(() => fs.closeSync(open), ms)
    const ended = await seller(args)
    if (timer === undefined) fs.closeSync(open)
    return {
      ...ended,
      left: fs.readFileSync(file, 'utf8').slice(0, 3),
      beside: fs.readdirSync('.').filter((name) => name.endsWith('.tmp')),
    }
  },
  /** Names in a folder. */
  names: async ({ folder }) => fs.readdirSync(path.resolve(environment[folder] ?? folder)).sort(),
  /** What the product says without its database engine. */
  withoutEngine: async ({ args }) => {
    const library = path.join(process.env.SystemRoot, 'System32', 'bcryptprimitives.dll')
    fs.renameSync(library, `${library}.away`)
    const ended = await seller(args)
    fs.renameSync(`${library}.away`, library)
    return ended
  },
}

async function main() {
  const results = []
  for (const { kind, ...step } of steps) {
    const began = Date.now()
    results.push({ result: (await KINDS[kind](step)) ?? null, ms: Date.now() - began })
  }
  fs.writeFileSync(`${order}.done`, JSON.stringify(results))
}
main().catch((error) => {
  fs.writeFileSync(`${order}.done`, error.stack)
})
