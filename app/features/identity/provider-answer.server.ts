import type { Ctx } from '#app/server/context.ts'
import { buildOpenIdAddress, exchangeCode } from './openid/exchange-code.server.ts'
import type { Challenge, ProviderAnswer } from './provider-claims.server.ts'
import type { ProviderRow } from './providers.server.ts'
import { readSamlAnswer } from './saml/saml-answers.server.ts'
import { buildSamlAddress } from './saml/saml-provider.server.ts'

/** Where to send the browser, by the provider's protocol. @throws {SignInFault} */
export const buildProviderAddress = (ctx: Ctx, row: ProviderRow, challenge: Challenge): Promise<string> =>
  row.protocol === 'saml' ? buildSamlAddress(ctx, row, challenge) : buildOpenIdAddress(ctx, row, challenge)

/** What the provider says of the person who came back, checked. @throws {SignInFault} */
export const readProviderAnswer = (ctx: Ctx, row: ProviderRow, query: URLSearchParams, challenge: Challenge): Promise<ProviderAnswer> =>
  row.protocol === 'saml' ? readSamlAnswer(ctx, row, query, challenge) : exchangeCode(ctx, row, query, challenge)
