import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { batchLine, startChild } from '../../src/system/child.js'

/** True if the system still runs it; one that has ended may be a zombie until its new parent has looked. */
const runs = (pid: string): boolean => !/^(?:|Z.*)$/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid]).stdout.toString().trim())

describe('a program that a command starts', () => {
  it('is ended with what it has started', async () => {
    const { child, end } = startChild({
      command: 'sleep 60 & echo $! $$; wait',
      env: process.env,
      cwd: '',
      stdin: 'ignore',
      apart: true,
    })
    const pids = String((await once(child.stdout, 'data'))[0])
      .trim()
      .split(' ')
    expect(pids.map(runs)).to.deep.equal([true, true])
    end()
    await once(child, 'close')
    while (pids.some(runs)) await new Promise((resolve) => setTimeout(resolve, 20))
    end()
  })

  it('is given to cmd.exe as a batch file with words that it cannot take for anything else', () => {
    for (const [args, line] of [
      [[], ''],
      [['a b', ''], ' "a b" ""'],
      [['&calc', '50%', 'a"b'], ' "&calc" "50%%cd:~,%" "a""b"'],
      [['C:\\x\\', '\\"'], ' "C:\\x\\\\" "\\\\"""'],
    ] as const)
      expect(batchLine('C:\\a b\\x.cmd', args)).to.equal(`/e:ON /v:OFF /d /s /c ""C:\\a b\\x.cmd"${line}"`)
  })
})
