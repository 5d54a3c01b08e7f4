/**
 * A root directory in which nothing is but a package, a shell and the libraries that both of them name: those of a container
 * without anything installed. /dev and /proc are the machine's.
 */
import { execFile, spawnSync } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Libraries that a container of Debian, Ubuntu or Fedora has when nothing was installed in it: the C library, and what apt and
 * dnf need.
 */
const EVERYWHERE = /^(?:ld-linux-.*|lib(?:c|m|dl|pthread|rt)\.so\.\d+|libstdc\+\+\.so\.6|libgcc_s\.so\.1)$/

/**
 * In a name space of its own (`unshare`), so that nothing stays mounted. Programs by their whole path, for PATH is that of the
 * package.
 */
const ENTER = `/bin/mount --rbind /dev "$0/dev" && /bin/mount --rbind /proc "$0/proc" && \
exec /usr/sbin/chroot "$0" /bin/sh -c 'cd "$HOME" && exec "$@"' sh "$@"`
/** Runs a command with mounts of its own. */
export const unshare = ['/usr/bin/unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])]

/** True if this user may do that. */
export const canEnter = spawnSync(unshare[0] ?? '', [...unshare.slice(1), '/bin/true']).status === 0

/** The command that runs another one in such a root, in the directory that HOME names there. */
export const entering = (folder: string, ...command: string[]): string[] => [
  ...unshare,
  '/bin/sh',
  '-c',
  ENTER,
  folder,
  ...command,
]

/**
 * Makes such a root.
 * @param programs what runs in it besides the shell
 * @throws if one of them needs a library that is not everywhere
 */
export async function makeBareRoot(folder: string, programs: readonly string[]): Promise<void> {
  const shell = '/bin/sh'
  for (const name of ['bin', 'dev', 'home', 'opt', 'proc', 'tmp']) await mkdir(join(folder, name), { recursive: true })
  await copyFile(shell, join(folder, 'bin', 'sh'))
  for (const program of [shell, ...programs]) {
    const { stdout } = await run('ldd', [program])
    for (const [, path = ''] of stdout.matchAll(/(\/\S+) \(0x/g)) {
      const name = path.split('/').at(-1) ?? ''
      if (!EVERYWHERE.test(name)) throw new Error(`${program} needs ${name}, which a plain system does not have.`)
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await copyFile(path, join(folder, path))
    }
  }
}
