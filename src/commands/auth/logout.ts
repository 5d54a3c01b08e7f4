import { confirmOnTerminal } from '../../actions/jobs/confirm.js'
import { SellerCommand } from '../../cli/base.js'
import { yesFlag } from '../../cli/flags.js'
import { noSuchProfile, SANDBOX } from '../../cli/profiles.js'
import { SETTINGS } from '../../cli/settings.js'
import { changeStored, readStored, type Stored } from '../../cli/settings-file.js'

export default class AuthLogout extends SellerCommand<typeof AuthLogout> {
  static override summary = 'Remove a profile and its credentials from this machine.'
  static override description =
    'Asks first on a terminal. The ledger keeps what was sent. The service is not informed: a token stays valid until it is revoked there.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --profile shop']

  static override flags = yesFlag

  async work(): Promise<void> {
    const { ctx, flags } = this
    const named = flags.profile ?? (ctx.env.SELLER_PROFILE || readStored(ctx.configDir).current) ?? 'default'
    const from = flags.profile === undefined ? 'the profile in use' : '--profile'
    const refuseMissing = (stored: Stored) => {
      if (!Object.hasOwn(stored.profiles, named) && named !== SANDBOX) throw noSuchProfile({ value: named, from }, stored)
    }
    refuseMissing(readStored(ctx.configDir))
    if (ctx.prompts.available && flags.yes !== true) {
      const { leavingWords } = await import('../../actions/auth/leaving.js')
      const facts = await leavingWords(ctx, named)
      if (facts !== '') ctx.prompts.show(facts)
    }
    ctx.ifInterrupted({ sent: 'Nothing was removed.', again: true })
    const message =
      named === SANDBOX
        ? 'Remove the settings stored for the sandbox?'
        : `Remove the profile "${named}" and its credentials from this machine?`
    await confirmOnTerminal(ctx, message, flags)
    let removed = false
    await changeStored(ctx, (file) => {
      refuseMissing(file)
      removed = Object.hasOwn(file.profiles, named)
      delete file.profiles[named]
      if (file.current === named) delete file.current
    })
    if (removed) ctx.ifInterrupted({ sent: `The settings of "${named}" were removed.` })
    await ctx.output.record(
      { columns: [{ key: 'Profile' }, { key: 'Removed', kind: 'boolean' }], card: true },
      { Profile: named, Removed: removed },
    )
    if (named === SANDBOX) ctx.output.note('The sandbox is built in: it stays, without the settings stored for it.')
    const left = Object.values(SETTINGS).flatMap(({ secret, env }) => (secret && env !== undefined && ctx.env[env] ? [env] : []))
    if (left.length > 0) ctx.output.warn(`The environment still holds ${left.join(' and ')}.`)
  }
}
