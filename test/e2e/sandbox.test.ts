import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { opened } from '../opened.js'
import { bin, environmentOf, openHome, type Running, root } from './harness.js'

describe('sandbox', () => {
  const home = opened(openHome)

  const served = async (...args: string[]) => listening(home.start(['sandbox:start', '--json', ...args]))
  const listening = async (running: Running) => {
    const [, url] = await running.prints(/"Url":\s*"([^"]+)"/)
    return { running, url: url ?? '' }
  }

  it('serves the state of --profile sandbox to other programs, until Ctrl-C', async () => {
    const { running, url } = await listening(home.spawn(['sandbox:start', '--json', '--port', '0', '--log']))
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const wsdl = await fetch(`${url}/v3/RestrictedService.asmx?WSDL`)
    expect(await wsdl.text()).to.contain('RestrictedServiceSoap12')
    const inside = await home.seller('account:show', '-p', 'sandbox', '--json')
    expect(inside.json().Id).to.equal(1001)
    running.interrupt('SIGINT')
    const run = await running.done
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ Url: url, AppId: 1, UserId: 1001, Token: SANDBOX_PROFILE.token })
  })

  it('says where it is, and stops by SIGTERM too', async () => {
    const running = home.spawn(['sandbox:start'])
    await running.prints(
      /^Url\thttp:\S+\nNamespace\t\S+\nAppId\t1\nAppKey\t\S+\nPublicKey\t\S+\nUserId\t1001\nToken\t\S+\nDatabase\t.+\n$/,
    )
    running.interrupt('SIGTERM')
    expect((await running.done).code).to.equal(0)
  })

  it('says when the port is taken', async () => {
    const { running, url } = await served()
    const run = await home.seller('sandbox:start', '--port', new URL(url).port, '--json')
    expect(run.code).to.equal(2)
    expect(run.json().error.code).to.equal('sandbox_refused')
    expect(run.json().error.message).to.contain(new URL(url).port)
    running.interrupt('SIGINT')
    await running.done
  })

  it('names every fault injection flag that cannot be read', async () => {
    const run = await home.seller(
      'sandbox:start',
      '--fault',
      'latency=long',
      '--fault',
      'drop-before=2',
      '--fault',
      'quota=100',
      '--json',
    )
    expect(run.code).to.equal(2)
    expect(run.json().error.message.split('\n')).to.have.length(3)
    expect(run.json().error.message).to.contain('--fault latency').and.contain('--fault drop-before').and.contain('--fault quota')
  })

  it('injects the faults of its flags', async () => {
    const { running, url } = await served('--db', 'faulty.db', '--fault', 'unavailable=100%')
    expect((await fetch(`${url}/v3/PublicService.asmx/GetItemTypes?appId=1`)).status).to.equal(503)
    running.interrupt('SIGINT')
    await running.done
  })

  it('answers in the namespace it was told', async () => {
    const namespace = 'http://api.example.com'
    const { running, url } = await served('--db', 'other.db', '--namespace', `${namespace}/`)
    const run = await home.run(['account:show', '--json'], { env: environmentOf({ url, namespace }) })
    expect(run.code, run.stderr).to.equal(0)
    running.interrupt('SIGINT')
    expect((await running.done).json().Namespace).to.equal(namespace)
    const refused = await home.seller('sandbox:start', '--namespace', 'example', '--json')
    expect(refused.json().error).to.include({ code: 'invalid_setting', exitCode: 2 })
  })

  it('is called by the tool in all four bindings, and what one cannot carry is refused', async () => {
    const { running, url } = await served('--db', 'bindings.db', '--log')
    const env = environmentOf({ url, namespace: SANDBOX_PROFILE.namespace })
    const bindings = { soap12: 'SOAP 1.2', soap11: 'SOAP 1.1', get: 'HTTP GET', post: 'HTTP POST' }
    for (const [binding, shown] of Object.entries(bindings)) {
      const login = await home.run(['auth:login', '--profile', binding, '--setting', `binding=${binding}`, '--no-input'], { env })
      expect(login.code, login.stderr).to.equal(0)
      const run = await home.seller('account:show', '--profile', binding, '--json')
      expect(run.json(), run.stderr).to.include({ Id: 1001, Alias: 'Södermalms_Loppis' })
      await running.prints(new RegExp(`${shown} RestrictedService.GetUserInfo 200`))
    }
    const sold = await home.seller('transactions:list', '--profile', 'get', '--json')
    expect(sold.json().error).to.include({ exitCode: 3 })
    expect(sold.json().error.message).to.include('the binding get carries nothing else')
    const [item] = (await home.seller('items:list', '--type', 'shop', '--profile', 'post', '--json')).json()
    const price = await home.seller('shop:price', `${item.Id}=${item.BuyItNowPrice + 1}`, '--yes', '--profile', 'post', '--json')
    expect(price.json().error).to.include({ code: 'binding_too_narrow', exitCode: 2 })
    running.interrupt('SIGINT')
    await running.done
  })

  it('is started by the tests of another client as docs/sandbox.md shows', async () => {
    const text = await readFile(join(root, 'docs', 'sandbox.md'), 'utf8')
    const script = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '').find((code) => code.includes('spawn('))
    await mkdir(join(home.dir, 'node_modules', '.bin'), { recursive: true })
    await symlink(bin, join(home.dir, 'node_modules', '.bin', 'seller'))
    const tests = 'console.log((await fetch(new URL("/v3/PublicService.asmx?WSDL", Url))).status, Namespace)'
    await home.file('client.mjs', (script ?? '').replace('// … the tests …', tests))
    const run = await home.shell('node client.mjs')
    expect(run.stdout, run.stderr).to.equal(`200 ${SANDBOX_PROFILE.namespace}\n`)
  })

  it('is reset to what it was', async () => {
    const add = [
      'items:add',
      '-p',
      'sandbox',
      '--title',
      'Vas',
      '--category',
      '344481',
      '--opening',
      '100',
      '--shipping',
      'pickup',
      '--json',
    ]
    const { ItemId } = (await home.seller(...add)).json()
    const show = () => home.seller('call', 'GetItem', `itemId=${ItemId}`, '-p', 'sandbox', '--json')
    const reset = await home.done('sandbox:reset', '--json')
    expect(reset.json()).to.include({ Reset: true })
    const again = (await home.seller(...add)).json()
    expect(again.ItemId, 'ids begin anew').to.equal(ItemId)
    expect((await show()).code).to.be.oneOf([0, 1, 2, 3])
  })

  it('is not reset under a server that other programs use', async () => {
    const { running, url } = await served()
    const refused = await home.seller('sandbox:reset', '--json')
    expect([refused.code, refused.json().error.code]).to.deep.equal([2, 'sandbox_refused'])
    expect(refused.json().error.hint).to.include(`${url}/`)
    running.interrupt('SIGINT')
    await running.done
    expect((await home.seller('sandbox:reset', '--json')).code).to.equal(0)
  })

  it('is seeded from CSV, all rows or none', async () => {
    const good = await home.file('items.csv', 'Title,Price\nKopp,50\n')
    const run = await home.done('sandbox:seed', good, '--json')
    expect(run.json().Items).to.equal(1)
    const bad = await home.run(['sandbox:seed', '-', '--json'], { stdin: 'Title,Price\nKopp,femtio\n' })
    expect(bad.code).to.equal(2)
    expect(bad.json().error.code).to.equal('invalid_seed')
    const missing = await home.seller('sandbox:seed', 'nowhere.csv', '--json')
    expect(missing.json().error).to.include({ code: 'unreadable_file', exitCode: 2 })
  })

  it('refuses a file that is no sandbox, and leaves it as it is', async () => {
    const path = await home.file('notes.db', 'These are notes.')
    for (const args of [
      ['sandbox:start', '--db', path],
      ['sandbox:reset', '--db', path],
    ]) {
      const run = await home.seller(...args, '--json')
      expect(run.code, run.stdout + run.stderr).to.equal(2)
    }
    expect(await readFile(path, 'utf8')).to.equal('These are notes.')
  })

  it('has no phone to answer when no eID session is open', async () => {
    const run = await home.seller('sandbox:eid', 'approve', '--json')
    expect(run.code).to.equal(1)
    expect(run.json().error.code).to.equal('no_eid_session')
    expect((await home.seller('sandbox:eid', 'maybe')).code).to.equal(2)
  })

  it('answers an eID session that is open', async () => {
    expect((await home.seller('eid:verify', '--no-wait', '-p', 'sandbox')).code).to.equal(0)
    const run = await home.done('sandbox:eid', 'approve', '--json')
    expect(run.json().Outcome).to.equal('approve')
  })
})
