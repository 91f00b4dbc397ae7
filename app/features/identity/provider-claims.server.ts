import type { ProviderRow } from './providers.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'

/** What ties the provider's answer to the browser that was sent there. */
export interface Challenge {
  state: string
  nonce: string
  verifier: string
}

/** What the provider says of a person, checked. */
export interface ProviderAnswer {
  subject: string
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
  groups: string[]
  /** True if the groups came as one text, which may be several. */
  groupsAreOneText: boolean
  /** The provider's session, which its logout names. */
  session: string | undefined
  /** What answers questions about people, by their keys: as a cell of a table, several values with `;` between. */
  answers: Record<string, string>
  /** All that came, for the test page. */
  claims: Record<string, unknown>
}

/** Reads what the settings name, and checks the level, the domain and the groups. @throws {SignInFault} */
export function checkClaims(row: ProviderRow, claims: Record<string, unknown>): ProviderAnswer {
  const answer = readAnswer(row, claims)
  requireLevel(row, claims)
  requireDomain(row, claims, answer)
  requireCompleteGroups(row, claims)
  return answer
}

/** @param name a claim, or the way to one inside objects: `realm_access.roles` */
export function findClaim(claims: Record<string, unknown>, name: string): unknown {
  if (name in claims) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

const LONGEST = { subject: 255, email: 254, name: 80, groups: 20_000, answer: 100 }

const readText = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().replaceAll('\0', '').slice(0, most).toWellFormed() : undefined

function readAnswer({ claims: names }: ProviderRow, claims: Record<string, unknown>): ProviderAnswer {
  const subject = claims['sub']
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST.subject)
    throw new SignInFault('not-understood', 'no subject')
  const email = readText(findClaim(claims, names.email), 320)?.toLowerCase()
  const groups = findClaim(claims, names.groups)
  return {
    subject,
    email: email && email.length <= LONGEST.email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined,
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: readText(findClaim(claims, names.name), LONGEST.name),
    groups: [groups].flat().flatMap((group) => readText(group, LONGEST.groups) ?? []),
    groupsAreOneText: typeof groups === 'string',
    session: readText(claims['sid'], 255),
    answers: Object.fromEntries(
      Object.entries(names.answers ?? {}).flatMap(([key, name]) => {
        const text = readCell(findClaim(claims, name))
        return text === undefined ? [] : [[key, text]]
      }),
    ),
    claims,
  }
}

const readCell = (value: unknown): string | undefined =>
  readText(
    [value]
      .flat()
      .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      .join(';'),
    LONGEST.answer,
  )

function requireLevel({ requiredAcr }: ProviderRow, { acr }: Record<string, unknown>): void {
  if (requiredAcr.length > 0 && !requiredAcr.some((level) => level === acr))
    throw new SignInFault('level-too-low', 'acr is none of those required')
}

/** Whole domains are compared, and never ends of them. An address that the provider calls unconfirmed proves no domain. */
function requireDomain({ allowedDomains, claims: names }: ProviderRow, claims: Record<string, unknown>, { email }: ProviderAnswer): void {
  if (allowedDomains.length === 0) return
  const said = names.domain === undefined ? undefined : findClaim(claims, names.domain)
  const domain = names.domain === undefined ? (claims['email_verified'] === false ? undefined : email?.split('@')[1]) : said
  if (typeof domain !== 'string' || !allowedDomains.includes(domain.toLowerCase()))
    throw new SignInFault('domain-refused', 'another domain')
}

/** Entra ID leaves the groups out of people who are in more than 200: their roles would fall away for no reason. */
function requireCompleteGroups({ claims: names }: ProviderRow, claims: Record<string, unknown>): void {
  const elsewhere = claims['_claim_names']
  if (elsewhere && typeof elsewhere === 'object' && names.groups in elsewhere)
    throw new SignInFault('groups-incomplete', 'groups are elsewhere')
}
