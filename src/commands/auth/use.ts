import { SellerCommand } from '../../cli/base.js'
import { textArg } from '../../cli/flags.js'
import { noSuchProfile, SANDBOX } from '../../cli/profiles.js'
import { changeStored } from '../../cli/settings-file.js'

export default class AuthUse extends SellerCommand<typeof AuthUse> {
  static override summary = 'Set the default profile.'
  static override examples = ['<%= config.bin %> <%= command.id %> shop', '<%= config.bin %> <%= command.id %> sandbox']
  static override args = { name: textArg({ required: true, description: 'Name of a profile. "sandbox" always exists.' }) }

  async work(): Promise<void> {
    const { ctx } = this
    const { name } = this.args
    await changeStored(ctx, (file) => {
      if (!Object.hasOwn(file.profiles, name) && name !== SANDBOX) throw noSuchProfile({ value: name, from: 'NAME' }, file)
      file.current = name
    })
    await ctx.output.record(
      { columns: [{ key: 'Profile' }, { key: 'InUse', header: 'In use', kind: 'boolean' }], card: true },
      { Profile: name, InUse: true },
    )
    if (ctx.env.SELLER_PROFILE) ctx.output.warn(`SELLER_PROFILE is set to "${ctx.env.SELLER_PROFILE}" and comes first.`)
  }
}
