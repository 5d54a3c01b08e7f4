/** Programs that runs start: pretended ones, whose work is an event of their own. They live on where their run is left. */
import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import type { Actor, World } from './world.js'

/** Use that a program makes of its stdin. */
export interface Work {
  /** Duration, ms. */
  readonly ms: number
  readonly code: number
  /** Its effect, at its end. */
  done(): void
}

export class Programs {
  /** @param input what it got on stdin @returns undefined if there is no such program */
  work: (command: string, input: string) => Work | undefined = () => undefined
  readonly #running = new Map<number, Program>()
  #nextPid = 900_000

  constructor(
    readonly world: World,
    /** Whose events are the work of a program. */
    readonly outside: () => Actor,
  ) {}

  reset(): void {
    this.#running.clear()
    this.#nextPid = 900_000
  }

  start(command: string): Program {
    const program = new Program(this, this.world.current!, this.#nextPid++, command)
    this.#running.set(program.pid, program)
    return program
  }

  /** Kills a program, or the group of one: a negative id. @returns false if there is none */
  kill(pid: number): boolean {
    const program = this.#running.get(Math.abs(pid))
    program?.kill()
    return program !== undefined
  }

  ended(pid: number): void {
    this.#running.delete(pid)
  }
}

class Program extends EventEmitter {
  readonly stdin: Writable
  readonly stdout = new Readable({ read() {} })
  readonly stderr = new Readable({ read() {} })
  exitCode: number | null = null
  signalCode: string | null = null
  #isOver = false

  constructor(
    readonly programs: Programs,
    readonly parent: Actor,
    readonly pid: number,
    command: string,
  ) {
    super()
    const pieces: Buffer[] = []
    this.stdin = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(Buffer.from(piece))
        done()
      },
      final: (done) => {
        done()
        this.#work(command, Buffer.concat(pieces).toString('utf8'))
      },
    })
  }

  #work(command: string, input: string): void {
    const { world, outside, work } = this.programs
    const found = work(command, input)
    if (found === undefined) throw new Error(`A run of the simulation starts no other program: ${command}`)
    world.later(
      found.ms,
      () => {
        if (this.#isOver) return
        found.done()
        this.#end(found.code, null)
      },
      outside(),
    )
  }

  kill(): boolean {
    if (!this.#isOver) this.#end(null, 'SIGKILL')
    return true
  }

  #end(code: number | null, signal: string | null): void {
    this.#isOver = true
    this.exitCode = code
    this.signalCode = signal
    this.programs.ended(this.pid)
    this.programs.world.later(
      0.1,
      () => {
        this.stdout.push(null)
        this.stderr.push(null)
        this.emit('exit', code, signal)
        this.emit('close', code, signal)
      },
      this.parent,
    )
  }
}
