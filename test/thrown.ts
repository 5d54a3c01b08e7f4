/** Errors that a test expects. */
import { expect } from 'chai'

type ErrorType<E> = abstract new (...args: never[]) => E

function checked<E>(type: ErrorType<E>, error: unknown): E {
  if (!(error instanceof type)) throw error
  return error
}

/** The error of a type that work throws. @throws another error that it throws, or that it throws none */
export function thrownBy<E>(type: ErrorType<E>, work: () => unknown): E {
  try {
    work()
  } catch (error) {
    return checked(type, error)
  }
  return expect.fail(`No ${type.name} was thrown.`)
}

/** The same of work that takes time. */
export async function rejectedBy<E>(type: ErrorType<E>, work: Promise<unknown> | (() => unknown)): Promise<E> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return checked(type, error)
  }
  return expect.fail(`No ${type.name} was thrown.`)
}
