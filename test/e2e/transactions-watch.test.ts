import { spawnSync } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { thisProcess } from '../../src/system/process-owner.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing, openedForEach } from '../opened.js'
import { openHome } from './harness.js'
import { setFaults, stock } from './shop.js'

describe('transactions:watch', () => {
  const home = openedForEach(() => openHome({ sandbox: true }))
  let items: number[]
  beforeEach(async () => {
    items = await stock(home, [100, 200, 300, 400])
  })

  const buy = async (at = 0): Promise<number> => {
    const { TransactionId } = (await controlSandbox(home.sandbox.url, 'buy', { itemId: items[at] })) as { TransactionId: number }
    return TransactionId
  }
  const once = (...flags: string[]) => home.seller('transactions:watch', '--once', ...flags)
  const idsOf = (text: string): number[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).Id)
  /** Runs statements on the ledger. */
  const inLedger = (sql: string): void => {
    const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
    store.exec(sql)
    store.close()
  }
  /** Waits for a row in the ledger. */
  const until = async (sql: string): Promise<void> => {
    for (;;) {
      const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
      const row = store.first(sql)
      store.close()
      if (row !== undefined) return
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  /** A command that appends the id of its sale to a file, and what it ends with. */
  const handler = async (name: string, end = ''): Promise<string> => {
    const path = await home.file(name, `#!/bin/sh\njq -r .Id >> ${join(home.dir, `${name}.log`)}\n${end}\n`)
    await chmod(path, 0o755)
    return path
  }
  const logged = async (name: string): Promise<number[]> =>
    (await readFile(join(home.dir, `${name}.log`), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number)

  describe('delivers each new sale once', () => {
    it('from now on, as NDJSON in a pipe, across runs', async () => {
      await buy(3)
      const first = await once()
      expect([first.code, first.stdout]).to.deep.equal([0, ''])
      expect(first.stderr).to.match(/The watch begins now/)
      const sold = [await buy(0), await buy(1)]
      const second = await once()
      expect(idsOf(second.stdout)).to.deep.equal(sold)
      expect(JSON.parse(second.lines()[0] ?? '')).to.include.keys('Buyer', 'Item', 'Amount', 'Date')
      expect((await once()).stdout).to.equal('')
      const third = await buy(2)
      expect(idsOf((await once()).stdout)).to.deep.equal([third])
    })

    it('from --since on, in the first run of a name; each name for itself', async () => {
      const all = (await home.seller('transactions:list', '--since', '15d', '--json')).json() as { Id: number }[]
      const run = await once('--since', '15d', '--json')
      expect(run.json().map(({ Id }: { Id: number }) => Id)).to.have.members(all.map(({ Id }) => Id))
      expect((await once('--since', '15d')).stdout).to.equal('')
      expect(idsOf((await once('--since', '15d', '--name', 'other')).stdout)).to.have.lengthOf(all.length)
      const later = await once('--since', '30d')
      expect([later.stdout, later.stderr]).to.satisfy(([out, err]: string[]) => out === '' && err?.includes('is not used'))
    })

    it('that another machine dated up to a day ago, but never twice', async () => {
      await once()
      const id = await buy()
      const store = openStore(join(home.dir, 'server.db'), 'process')
      store.run('UPDATE transactions SET date = date - 20 * 3600000 WHERE id = ?', id)
      store.close()
      expect(idsOf((await once()).stdout)).to.deep.equal([id])
      expect((await once()).stdout).to.equal('')
    })

    it('by two watches of one name at once', async () => {
      await once()
      const sold = [await buy(0), await buy(1), await buy(2)]
      const runs = await Promise.all([once(), once(), once()])
      expect(runs.flatMap(({ stdout }) => idsOf(stdout)).sort((a, b) => a - b)).to.deep.equal(sold)
    })

    it('while it goes on, until Ctrl-C, which is no failure', async () => {
      await once()
      const running = home.start(['transactions:watch', '--interval', '1s'])
      await running.prints(/End with Ctrl-C/)
      const id = await buy()
      await running.prints(new RegExp(`"Id":${id}`))
      running.interrupt('SIGINT')
      const run = await running.done
      expect([run.code, idsOf(run.stdout)]).to.deep.equal([0, [id]])
    })
  })

  describe('counts a sale as delivered when stdout has taken it', () => {
    const FORMS = ['--json', '--json --sort Amount', '-o xlsx', '-o yaml', '-o csv', '-o ndjson', '-o table', '--sort Id', '']

    // A reader that is gone is met at the first write, and a full disk at any: of the first, one form of each kind is enough.
    for (const [gone, forms] of [
      ['> /dev/full', FORMS],
      ['| true', ['--json', '-o ndjson', '-o table', '--sort Id']],
    ] as const) {
      it(`not before, in any form: ${gone}`, async () => {
        if (process.platform !== 'linux') return
        await once()
        const sold = [await buy(0), await buy(1), await buy(2)]
        for (const form of forms) {
          const { code } = await home.shell(`seller transactions:watch --once ${form} ${gone}`)
          expect(code, form).to.equal(gone === '| true' ? 0 : 1)
        }
        expect(idsOf((await once()).stdout)).to.deep.equal(sold)
      })
    }

    it('with the end of a workbook, which Ctrl-C is', async () => {
      await once()
      const id = await buy()
      const running = home.start(['transactions:watch', '--interval', '1s', '-o', 'xlsx'])
      await until(`SELECT 1 FROM watched_sales WHERE state = 'begun' AND id = ${id}`)
      running.interrupt('SIGINT')
      const { code, bytes } = await running.done
      expect([code, bytes.subarray(0, 2).toString()]).to.deep.equal([0, 'PK'])
      const next = await once()
      expect([next.code, next.stdout, next.stderr]).to.deep.equal([0, '', ''])
    })

    it('before a kill; what is only begun then is unknown, and named', async () => {
      await once()
      const sold = [await buy(0), await buy(1), await buy(2)]
      const started = (name: string, form: readonly string[]) =>
        home.spawn(['transactions:watch', '--since', '2d', '--name', name, '--interval', '1s', ...form])
      for (const form of ['json', 'ndjson', 'yaml', 'csv', 'tsv']) {
        const running = started(form, ['-o', form])
        await running.prints(new RegExp(String(sold[2])))
        await until(`SELECT 1 FROM sale_watches WHERE name = '${form}' AND looked_at IS NOT NULL`)
        running.kill('SIGKILL')
        await running.done
        const next = await once('--name', form)
        expect([next.code, next.stdout, next.stderr], form).to.deep.equal([0, '', ''])
      }
      const whole = started('sheet', ['-o', 'xlsx'])
      await until(`SELECT 1 FROM watched_sales WHERE name = 'sheet' AND state = 'begun' AND id = ${sold[2]}`)
      whole.kill('SIGKILL')
      await whole.done
      const next = await once('--name', 'sheet')
      expect([next.code, next.stdout]).to.deep.equal([9, ''])
      for (const id of sold) expect(next.stderr).to.include(String(id))
    })
  })

  describe('--exec', () => {
    it('runs a command for each sale, with the record on its stdin', async () => {
      await once()
      const command = await handler('take')
      const sold = [await buy(0), await buy(1)]
      const run = await once('--exec', command)
      expect(run.code, run.stderr).to.equal(0)
      expect(await logged('take')).to.deep.equal(sold)
      expect(idsOf(run.stdout)).to.deep.equal(sold)
      await once('--exec', command)
      expect(await logged('take')).to.deep.equal(sold)
    })

    it('tries a failing command again at the next look, and gives up after --attempts', async () => {
      await once()
      const command = await handler('fail', 'echo "no paper" >&2; exit 3')
      const id = await buy()
      const first = await once('--exec', command, '--attempts', '2')
      expect([first.code, first.stdout]).to.deep.equal([5, ''])
      expect(first.stderr).to.include('no paper').and.to.include('exit code 3').and.to.include('Attempt 1 of 2')
      const second = await once('--exec', command, '--attempts', '2')
      expect(second.code).to.equal(5)
      expect(second.stderr).to.include(`--again ${id}`)
      const third = await once('--exec', command, '--attempts', '2')
      expect(third.stderr).to.include('too often')
      expect(third.code, 'as long as one is given up').to.equal(5)
      expect(await logged('fail')).to.deep.equal([id, id])
      const good = await once('--exec', await handler('good'), '--again', String(id))
      expect(good.code, good.stderr).to.equal(0)
      expect(await logged('good')).to.deep.equal([id])
    })

    it('does not know what a command did that it stopped, and does not run it again', async () => {
      await once()
      const id = await buy()
      const slow = await handler('slow', 'exec sleep 60')
      const run = await once('--exec', slow, '--exec-timeout', '3s')
      expect([run.code, run.stdout]).to.deep.equal([9, ''])
      expect(run.stderr).to.include('did not end within 3 s').and.to.include(`--again ${id}`)
      expect((await once('--exec', slow)).stderr).to.include(`--again ${id}`)
      expect(await logged('slow')).to.deep.equal([id])
    })

    it('ends the command, and what it started, with a run that a second Ctrl-C ends at once', async () => {
      await once()
      await buy()
      const path = join(home.dir, 'pids')
      const watch = home.spawn(['transactions:watch', '--exec', `sleep 60 & echo $$ $! > ${path}; wait`])
      const eventually = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
        for (;;) {
          const seen = await look()
          if (seen !== undefined) return seen
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      const pids = await eventually(async () => /^\d+ \d+(?=\n)/.exec(await readFile(path, 'utf8').catch(() => ''))?.[0])
      watch.child.kill('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 300))
      watch.child.kill('SIGINT')
      expect((await watch.done).code).to.equal(130)
      // A zombie waits for its new parent to look.
      const states = (): string => spawnSync('ps', ['-o', 'stat=', '-p', pids.replace(' ', ',')]).stdout.toString()
      await eventually(async () => (/^[^Z\s]/m.test(states()) ? undefined : true))
    })

    it('says when the command cannot be started, and keeps the sale', async () => {
      await once()
      const id = await buy()
      const barred = await home.file('barred', '#!/bin/sh\n')
      for (const command of ['["./nobody"]', './nobody --quickly', barred, './nobody']) {
        const run = await once('--exec', command, '--json')
        expect([run.code, run.json().error.code], command).to.deep.equal([2, 'exec_not_started'])
      }
      expect((await home.seller('transactions:watch', '--exec', './nobody')).code, 'one that goes on').to.equal(2)
      expect(idsOf((await once('--exec', 'true', '--attempts', '1')).stdout)).to.deep.equal([id])
    })

    it('refuses a program that is not where its path says, before the first call', async () => {
      for (const [command, reason] of [
        ['./print-label.sh', 'there is no file ./print-label.sh'],
        ['["/nowhere/print", "x"]', 'there is no file /nowhere/print'],
        [await home.file('barred', '#!/bin/sh\n'), `${home.dir}/barred cannot be run`],
      ] as const) {
        const run = await once('--name', 'never', '--exec', command, '--json')
        expect([run.code, run.json().error.message], command).to.deep.equal([
          2,
          `The command of --exec cannot be started: ${reason}.`,
        ])
        expect(run.json().error.hint).to.equal('Check its path and permissions. Nothing was asked of the service.')
      }
      // The shell's part of it shows when it runs.
      expect((await once('--name', 'never', '--exec', '$HOME/nothing')).code).to.equal(0)
    })

    it('gives the command no keys', async () => {
      await once()
      await buy()
      const seen = join(home.dir, 'seen')
      expect((await once('--exec', `env > ${seen}`)).code).to.equal(0)
      expect(await readFile(seen, 'utf8'))
        .to.match(/^SELLER_BASE_URL=/m)
        .and.not.match(/^SELLER_(TOKEN|APP_KEY)/m)
    })

    it('never runs twice for a sale whose run was killed: it is unknown, until --again', async () => {
      await once()
      const id = await buy()
      const command = await handler('take')
      await once('--exec', command)
      // As a kill in the middle leaves it: begun, by a process that is gone.
      const owner = JSON.stringify({ ...JSON.parse(thisProcess()), started: 'before the last boot' })
      inLedger(`UPDATE watched_sales SET state = 'begun', owner = '${owner}' WHERE id = ${id}`)
      const run = await once('--exec', command)
      expect([run.code, await logged('take')]).to.deep.equal([9, [id]])
      expect(run.stderr).to.include(`--again ${id}`)
      const next = await once('--exec', command)
      expect(next.code, 'it was said once').to.equal(0)
      expect(next.stderr).to.include(String(id))
      expect((await once('--exec', command, '--again', String(id))).code).to.equal(0)
      expect(await logged('take')).to.deep.equal([id, id])
      const stranger = await once('--again', '77', '--json')
      expect([stranger.code, stranger.json().error.code]).to.deep.equal([2, 'nothing_to_do'])
    })

    it('names a sale as unknown that a run on another host has left, after a quarter of an hour', async () => {
      await once()
      const id = await buy()
      await once()
      const owner = JSON.stringify({ ...JSON.parse(thisProcess()), host: 'an-older-container' })
      for (const [minutes, code] of [
        [14, 0],
        [16, 9],
      ] as const) {
        inLedger(`UPDATE watched_sales SET state = 'begun', owner = '${owner}', changed_at = ${Date.now() - minutes * 60_000}`)
        const run = await once()
        expect([run.code, run.stdout, run.stderr.includes(`--again ${id}`)]).to.deep.equal([code, '', code === 9])
      }
    })

    it('lets a command end after Ctrl-C', async () => {
      await once()
      const log = join(home.dir, 'slow.log')
      const running = home.start([
        'transactions:watch',
        '--interval',
        '1s',
        '--exec',
        `echo begun > ${log}; sleep 1; cat > /dev/null; echo done >> ${log}`,
      ])
      await running.prints(/End with Ctrl-C/)
      await buy()
      for (let i = 0; i < 400 && (await readFile(log, 'utf8').catch(() => '')) === ''; i++) {
        await new Promise((done) => setTimeout(done, 50))
      }
      running.interrupt('SIGINT')
      expect((await running.done).code).to.equal(0)
      expect(await readFile(log, 'utf8')).to.equal('begun\ndone\n')
      expect((await once()).stdout).to.equal('')
    })
  })

  it('leaves the last calls of the budget to others, and waits', async () => {
    await using own = closing(await openHome())
    const look = (...flags: string[]) => own.seller('transactions:watch', '-p', 'sandbox', '--once', '--json', ...flags)
    const used = async () => (await own.seller('calls:show', '-p', 'sandbox', '--json')).json().Used
    for (let looks = 0; looks < 2; looks++) expect((await look()).code).to.equal(0)
    expect((await own.seller('auth:login', '-p', 'sandbox', '--setting', 'call_budget=4')).code).to.equal(0)
    const before = await used()
    expect(before).to.be.at.least(2)
    const spent = await look()
    expect([spent.code, spent.json().error.code, await used()]).to.deep.equal([7, 'call_budget_spent', before])
    expect(spent.json().error.message).to.include('2 are kept for other commands')
    const running = own.start(['transactions:watch', '-p', 'sandbox', '--interval', '1s'])
    await running.prints(/Waiting until one is free/)
    running.interrupt('SIGINT')
    expect([(await running.done).code, await used()]).to.deep.equal([0, before])
    expect((await look('--keep-calls', '0')).code).to.equal(0)
    expect(await used()).to.equal(before + 1)
  })

  it('goes on after a refusal of the service, and loses nothing meanwhile', async () => {
    await once()
    await setFaults(home, { quota: '1/24h' })
    const refused = await once()
    expect(refused.code).to.equal(7)
    const running = home.start(['transactions:watch', '--interval', '1s'])
    await running.prints(/Trying again later/)
    const id = await buy()
    await setFaults(home, { quota: 'none' })
    await running.prints(new RegExp(`"Id":${id}`))
    running.interrupt('SIGTERM')
    expect((await running.done).code).to.equal(0)
  })

  it('takes a name of up to 40 letters, and delivers again only what is unknown or given up', async () => {
    for (const name of ['', 'x'.repeat(41), 'a b', 'a/b', 'å']) {
      const run = await once('--name', name, '--json')
      expect([run.code, run.json().error.code], name).to.deep.equal([2, 'wrong_usage'])
    }
    await once('--name', `A_b.c-1${'x'.repeat(33)}`)
    await once()
    const again = await once('--again', '5', '--json')
    expect(again.json().error.message).to.equal('Sale 5 is neither unknown nor given up in the watch "default".')
    const killed = await once('--exec', 'kill -9 $$', '--name', 'till', '--since', '30d', '--json')
    expect([killed.code, killed.stderr.split('\n')[0]]).to.satisfy(
      ([code, said]: [number, string]) =>
        code === 9 && /^Warning: Sale (\d+): the command was ended by SIGKILL\. .*--again \1 --name till$/.test(said),
    )
    const barred = await once('--exec', 'exit 126', '--name', 'bar', '--since', '30d', '--json')
    expect(barred.json().error.message).to.equal('The command of --exec cannot be started: it cannot be run (exit code 126).')
  })

  it('has no order to sort by while it goes on, and no interval below a second', async () => {
    const sorted = await home.seller('transactions:watch', '--sort', 'Amount', '--json')
    expect([sorted.code, sorted.json().error.code]).to.deep.equal([2, 'wrong_usage'])
    const short = await home.seller('transactions:watch', '--interval', '10ms', '--json')
    expect([short.code, short.json().error.code]).to.deep.equal([2, 'invalid_duration'])
  })
})
