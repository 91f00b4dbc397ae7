import type { Profile } from '@node-saml/node-saml'
import * as v from 'valibot'
import type { Ctx } from '#app/server/context.ts'
import { CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { findDecryptionKey } from './decrypt-assertion.server.ts'
import { inspectResponse } from './inspect-response.server.ts'
import { buildAssertionUrl, openSaml } from './saml-provider.server.ts'

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** An assertion as the library reads it from the signed bytes; only what is checked here. */
const text = v.looseObject({ _: v.string() })
const confirmationSchema = v.looseObject({
  $: v.looseObject({ Method: v.string() }),
  SubjectConfirmationData: v.tuple([
    v.looseObject({
      $: v.looseObject({ Recipient: v.string(), InResponseTo: v.string(), NotBefore: v.optional(v.string()), NotOnOrAfter: v.string() }),
    }),
  ]),
})
const assertionSchema = v.looseObject({
  Assertion: v.looseObject({
    $: v.looseObject({ ID: v.string(), IssueInstant: v.string() }),
    Issuer: v.tuple([text]),
    Subject: v.tuple([v.looseObject({ NameID: v.tuple([text]), SubjectConfirmation: v.array(v.unknown()) })]),
    Conditions: v.tuple([v.looseObject({ $: v.looseObject({ NotOnOrAfter: v.string() }) })]),
    AuthnStatement: v.optional(
      v.array(
        v.looseObject({
          $: v.looseObject({ AuthnInstant: v.string() }),
          AuthnContext: v.optional(v.array(v.looseObject({ AuthnContextClassRef: v.optional(v.array(text)) }))),
        }),
      ),
    ),
  }),
})

export interface CheckedAssertion {
  /** The assertion's own id: it counts once. */
  id: string
  /** The request that it answers. */
  inResponseTo: string
  /** When it counts no more, in milliseconds. */
  until: number
  /** As OpenID Connect would name them. */
  claims: Record<string, unknown>
}

/**
 * Checks a provider's answer: who signed it, for whom, when, and for which request. Only the signed bytes are read.
 * @param encoded the form field `SAMLResponse`
 * @throws {SignInFault}
 */
export async function checkAssertion(ctx: Ctx, row: ProviderRow, encoded: string): Promise<CheckedAssertion> {
  const xml = Buffer.from(encoded, 'base64').toString('utf8')
  const decryptionKey = await findDecryptionKey(ctx, row, xml, inspectResponse(xml))
  const profile = await validateSignature(ctx, row, encoded, decryptionKey)
  const read = v.safeParse(assertionSchema, profile.getAssertion?.())
  if (!read.success) throw new SignInFault('not-understood', 'the assertion lacks something')
  const { Assertion: assertion } = read.output
  if (assertion.Issuer[0]._ !== row.issuer) throw new SignInFault('wrong-issuer', 'it names another issuer')
  requirePast(assertion.$.IssueInstant)
  for (const { $ } of assertion.AuthnStatement ?? []) requirePast($.AuthnInstant)
  const { NameID, SubjectConfirmation } = assertion.Subject[0]
  if (profile.nameIDFormat === TRANSIENT) throw new SignInFault('not-understood', 'a name that changes with each sign-in')
  const levels = assertion.AuthnStatement?.flatMap(({ AuthnContext }) => AuthnContext ?? []).flatMap(
    (each) => each.AuthnContextClassRef ?? [],
  )
  return {
    id: assertion.$.ID,
    ...findConfirmedRequest(ctx, row, SubjectConfirmation),
    claims: {
      ...(profile.attributes as Record<string, unknown> | undefined),
      sub: NameID[0]._.trim(),
      sid: profile.sessionIndex,
      acr: levels?.[0]?._,
      // The provider vouches for its own directory; a setting decides whether we trust that.
      email_verified: true,
    },
  }
}

async function validateSignature(ctx: Ctx, row: ProviderRow, encoded: string, decryptionKey: string | undefined): Promise<Profile> {
  try {
    const { profile } = await openSaml(ctx, row, { decryptionKey }).validatePostResponseAsync({ SAMLResponse: encoded })
    if (profile) return profile
  } catch (error) {
    throw error instanceof SignInFault ? error : new SignInFault(findCode(String(error)), String(error), { cause: error })
  }
  throw new SignInFault('cancelled', 'the provider signed nobody in')
}

/** The library has no codes for what it refuses. */
function findCode(message: string): SignInFault['code'] {
  if (/signature|no valid certificate/i.test(message)) return 'wrong-signature'
  if (/audience/i.test(message)) return 'wrong-audience'
  if (/not yet valid|expired/i.test(message)) return 'expired'
  return /status|responder|requester/i.test(message) ? 'cancelled' : 'not-understood'
}

const isPast = (instant: string): boolean => Date.parse(instant) <= Date.now() + CLOCK_SKEW_MS

/** A provider whose clock is far ahead would extend how long its assertions count. */
function requirePast(instant: string): void {
  if (!isPast(instant)) throw new SignInFault('expired', 'it is from the future')
}

/** A bearer's confirmation for this address, that has not ended. */
function findConfirmedRequest(
  ctx: Ctx,
  row: ProviderRow,
  confirmations: readonly unknown[],
): Pick<CheckedAssertion, 'inResponseTo' | 'until'> {
  const usable = confirmations.flatMap((each) => {
    const read = v.safeParse(confirmationSchema, each)
    return read.success && read.output.$.Method === BEARER ? [read.output.SubjectConfirmationData[0].$] : []
  })
  if (usable.length === 0) throw new SignInFault('started-elsewhere', 'it answers no request')
  const own = usable.filter(({ Recipient }) => Recipient === buildAssertionUrl(ctx, row.id))
  if (own.length === 0) throw new SignInFault('wrong-audience', 'another recipient')
  const begun = own.filter(({ NotBefore }) => NotBefore === undefined || isPast(NotBefore))
  const ends = begun.map(({ InResponseTo, NotOnOrAfter }) => ({
    inResponseTo: InResponseTo,
    until: Date.parse(NotOnOrAfter) + CLOCK_SKEW_MS,
  }))
  const open = ends.find(({ until }) => until > Date.now())
  if (!open) throw new SignInFault('expired', 'the confirmation has ended')
  return open
}
