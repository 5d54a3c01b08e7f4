/** Archives of which two builds are equal byte for byte: names in order, one time, one owner. */
import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The time of every file in an archive: on the first day that a zip can hold. */
const TIME = new Date(Date.UTC(1980, 0, 1, 12))

/** Every file under a folder, sorted, as paths from it with slashes. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')).sort()
}

/** A tar of GNU tar, packed by xz or gzip. @param inner the name in `folder` that is packed */
export async function tarOf(folder: string, inner: string, to: string): Promise<void> {
  const same = [
    '--sort=name',
    '--mtime=@315576000',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=ustar',
    '--mode=u=rwX,go=rX',
  ]
  const pack = to.endsWith('.xz') ? 'xz -3 -T1' : 'gzip -9n'
  await run('tar', [...same, '-C', folder, '-I', pack, '-cf', to, inner])
}

/**
 * A zip, packed by 7-Zip: its deflate makes Node 6 % smaller than that of zlib, whose files were over 40 MB.
 * @param packer 7-Zip's program
 */
export async function zipOf(folder: string, inner: string, to: string, packer: string): Promise<void> {
  const names = (await filesUnder(join(folder, inner))).map((name) => `${inner}/${name}`)
  for (const name of names) {
    await utimes(join(folder, name), TIME, TIME)
    await chmod(join(folder, name), 0o644)
  }
  const list = `${to}.names`
  await rm(to, { force: true })
  await writeFile(list, `${names.join('\n')}\n`)
  const thorough = ['-mx=9', '-mfb=258', '-mpass=4', '-mtc=off', '-mcu=on', '-mmt=1']
  await run(packer, ['a', '-tzip', ...thorough, to, `@${list}`], { cwd: folder, env: { ...process.env, TZ: 'UTC' } })
  await rm(list)
}

/** A Debian package (deb(5)): an ar archive of the format, the control files and the data. */
export async function debOf(folder: string, to: string): Promise<void> {
  await tarOf(join(folder, 'DEBIAN'), '.', join(folder, 'control.tar.gz'))
  await tarOf(join(folder, 'data'), '.', join(folder, 'data.tar.xz'))
  await writeFile(join(folder, 'debian-binary'), '2.0\n')
  const parts = ['debian-binary', 'control.tar.gz', 'data.tar.xz'].map(async (name) => {
    const bytes = await readFile(join(folder, name))
    const head = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`
    return Buffer.concat([Buffer.from(head), bytes, Buffer.alloc(bytes.length % 2, '\n')])
  })
  await writeFile(`${to}.half`, Buffer.concat([Buffer.from('!<arch>\n'), ...(await Promise.all(parts))]))
  await rename(`${to}.half`, to)
}
