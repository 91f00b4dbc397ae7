import { implementResource } from '#app/server/api/implement.ts'
import { mailAddressShape } from './mail-addresses.api.schema.ts'
import { forgetMailAddress, listMailAddresses, type MailAddressRow, loadMailAddressesById } from './mail-addresses.server.ts'

export const mailAddressResource = implementResource(mailAddressShape, {
  load: loadMailAddressesById,
  list: (ctx, { page }) => listMailAddresses(ctx, page),
  attributes: ({ address, bouncedAt, softFailures, reported, reason, updatedAt }: MailAddressRow) => ({
    address,
    stoppedAt: bouncedAt,
    softFailures,
    reported,
    reason,
    updatedAt,
  }),
  remove: forgetMailAddress,
})
