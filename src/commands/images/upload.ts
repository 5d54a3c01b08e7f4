import * as Flags from '@oclif/core/flags'
import { fitFlag } from '../../actions/input/flags.js'
import { uploadImages } from '../../actions/listing/uploads.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, idArg, textArg, waitFlags } from '../../cli/flags.js'

export default class ImagesUpload extends SellerCommand<typeof ImagesUpload> {
  static override summary = 'Add images to an item that is not committed yet, and commit it.'
  static override description =
    'Looks first whether the request is still uncommitted: a committed item takes no more images. Checks all files, then uploads them in order; --commit puts the item on sale afterwards. The upload is a job: ' +
    'if it stops, jobs:resume continues it, and no image is sent twice.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4711 --commit',
    '<%= config.bin %> <%= command.id %> 4711 front.jpg back.png --commit --wait',
    '<%= config.bin %> <%= command.id %> 4711 big.jpg --mega',
  ]
  static override args = {
    request: idArg({ required: true, description: 'Request id of the item, from items:add.' }),
    file: textArg({ multiple: true, description: 'GIF, JPEG or PNG file of at most 4 MB.' }),
  }
  static override flags = {
    ...acceptedYesFlag,
    ...fitFlag,
    mega: Flags.boolean({ summary: 'Request extra-large (Mega) images.' }),
    commit: Flags.boolean({ summary: 'Commit the item after the last image. No image can be added after that.' }),
    'commit-anyway': Flags.boolean({ dependsOn: ['commit'], summary: 'Commit even if an image was refused.' }),
    wait: Flags.boolean({ char: 'w', dependsOn: ['commit'], summary: 'Wait until the service has processed the item.' }),
    timeout: waitFlags.timeout,
  }
  static operations = ['AddItemImage', 'AddItemCommit', 'GetRequestResults', 'GetItem']

  async work() {
    const { flags } = this
    return uploadImages(this.ctx, {
      requestId: this.args.request,
      files: (this.args.file ?? []).map((path) => ({ path, mega: flags.mega === true })),
      // Absent would mean yes.
      commit: flags.commit === true,
      commitAnyway: flags['commit-anyway'],
      flags,
    })
  }
}
