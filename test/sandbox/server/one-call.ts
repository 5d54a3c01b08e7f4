/** A program for server.test.ts: a sandbox on the file it is given, one call over HTTP; writes the status of the answer. */
import { SANDBOX_PROFILE as profile, startSandbox } from '../../../src/sandbox/index.js'

const server = await startSandbox({ path: process.argv[2] ?? '' })
const query = `appId=${profile.appId}&appKey=${profile.appKey}`
const { status } = await fetch(`${server.url}/v3/PublicService.asmx/GetOfficalTime?${query}`)
await server.close()
process.stdout.write(String(status))
