import * as Flags from '@oclif/core/flags'
import { acceptedIn, checkDescriptions } from '../../actions/service/check.js'
import { agreeOnNames } from '../../actions/service/names.js'
import { compareWithSaved, formsIn, saveDescriptions } from '../../actions/service/saved.js'
import { openSources } from '../../actions/service/sources.js'
import { commandUses } from '../../actions/service/uses.js'
import { SellerCommand } from '../../cli/base.js'
import { yesFlag } from '../../cli/flags.js'
import { readDescriptionFile, readDialect } from '../../cli/saved-description.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT } from '../../errors/index.js'
import { type DifferenceRecord, differencesText, differencesView } from '../../format/views/service.js'
import { run, say } from '../../messages/index.js'

export default class ServiceCheck extends SellerCommand<typeof ServiceCheck> {
  static override summary = 'Compare the service with what this tool knows of it.'
  static override description =
    'Reads the description that the service publishes (WSDL) and lists every difference: what breaks a command, and which; what differs by age; what is ' +
    'new; what only this tool knows; what cannot be read. Exit 0 if no command breaks, 3 if one does. Where the service has names of its own ' +
    'and their types agree, it proposes to use them. No credentials are sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --url https://api.example.com',
    '<%= config.bin %> <%= command.id %> --save',
    '<%= config.bin %> <%= command.id %> --save --accept UpdateShopItem',
    '<%= config.bin %> <%= command.id %> --file RestrictedService.wsdl --file PublicService.wsdl',
    `<%= config.bin %> <%= command.id %> --json | jq -r '.[] | select(.Effect == "breaks") | .Commands[]' | sort -u`,
  ]
  static override flags = {
    url: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'URL',
      summary: 'Address of the service. The base, ….asmx or ?WSDL; by default that of the profile. May be repeated.',
    }),
    file: Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
      summary: 'A description as a file, - for stdin. May be repeated. Once for each service.',
    }),
    save: Flags.boolean({ summary: 'Save the descriptions for the profile. A saved one that differs is replaced after a yes.' }),
    'save-names': Flags.boolean({
      summary: "Use the service's own names that are proposed. Requests are sent with them, and results keep the known names.",
    }),
    accept: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'OPERATION',
      dependsOn: ['save'],
      summary: 'Send OPERATION although it breaks; may be repeated.',
    }),
    ...yesFlag,
  }

  async work(): Promise<void> {
    const { ctx, flags } = this
    const sources = await openSources(ctx, { urls: flags.url, files: flags.file })
    const descriptions = sources.map(({ description }) => description)
    const names = await agreeOnNames(ctx, descriptions, { save: flags['save-names'], yes: flags.yes })
    // Without a saved description, the first write reads it.
    const learned = flags.save || (await readDescriptionFile(ctx, 'RestrictedService')) === undefined
    const otherForms = learned ? formsIn(descriptions, names) : (await readDialect(ctx)).otherForms
    const accepted = await acceptedIn(ctx, descriptions, { names, accept: flags.accept })
    const records = checkDescriptions(ctx, commandUses(this.commandsInFull()), descriptions, { names, otherForms, accepted })
    await this.#print(records)
    for (const { description, from } of sources) {
      ctx.output.note(`${description.service}: ${countOf(description.operations.size, 'operation')}, read from ${from}.`)
    }
    const broken = records.filter(({ Effect }) => Effect === 'breaks')
    if (broken.length > 0) {
      this.endWith(EXIT.validation)
      ctx.output.note(`Differences that break a command: ${broken.length} of ${records.length}.`)
    }
    const namespace = broken.find(({ Kind }) => Kind === 'namespace')?.Found
    if (namespace != null) {
      ctx.output.hint(say`If the service is the right one: ${run('auth:login', { '--namespace': namespace })}`)
    }
    const operations = [...new Set(broken.flatMap(({ Operations }) => Operations))]
    if (operations.length > 0) {
      ctx.output.hint(
        say`What breaks is not sent once it is saved. If it works all the same, accept it until it changes: ${run('service:check', { '--save': true, '--accept': operations })}`,
      )
    }
    if (flags.save) await saveDescriptions(ctx, sources, { yes: flags.yes, accept: flags.accept, names })
    else await compareWithSaved(ctx, sources)
  }

  async #print(records: readonly DifferenceRecord[]): Promise<void> {
    const { output } = this.ctx
    const asTable = this.flags.columns !== undefined || this.flags.sort !== undefined
    if (output.human && !asTable && records.length > 0) output.aside(differencesText(records, output.width, output.paint))
    else await output.list(differencesView, records)
  }
}
