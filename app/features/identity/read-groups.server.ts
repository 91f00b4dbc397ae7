import { and, eq } from 'drizzle-orm'
import type { GroupSeparator } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityRoleRules } from '#app/server/db/schema/identity.ts'
import type { ProviderAnswer } from './provider-claims.server.ts'
import type { ProviderRow } from './providers.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'

type SentGroups = Pick<ProviderAnswer, 'groups' | 'groupsAreOneText'>

const PATTERNS = { semicolon: ';', comma: ',', space: /\s+/ } as const
const LONGEST_GROUP = 200

/** Names of the groups that the provider's rules know. */
export async function loadRuleGroups(ctx: Ctx, tx: Tx, providerId: string): Promise<ReadonlySet<string>> {
  const rules = await tx
    .select({ group: identityRoleRules.groupName })
    .from(identityRoleRules)
    .where(and(eq(identityRoleRules.siteId, ctx.site.id), eq(identityRoleRules.providerId, providerId)))
  return new Set(rules.map(({ group }) => group))
}

/** The groups that a provider named, as the rules are compared with them. A list stays as it is, unless the settings name a separator. */
export function readGroups(separator: GroupSeparator, { groups }: Pick<SentGroups, 'groups'>): string[] {
  const read = separator === 'guess' || separator === 'none' ? groups : groups.flatMap((text) => splitText(text, separator))
  return read.map((group) => group.slice(0, LONGEST_GROUP).toWellFormed())
}

const splitText = (text: string, separator: keyof typeof PATTERNS): string[] =>
  text.split(PATTERNS[separator]).flatMap((group) => group.trim() || [])

/**
 * What separates the groups of one text, as far as the text and the rules tell. A comma or a space alone tells nothing: names of groups have
 * them too.
 */
export function guessSeparator({ groups, groupsAreOneText }: SentGroups, ruled: ReadonlySet<string>): GroupSeparator {
  const [text = ''] = groups
  if (!groupsAreOneText || !/[;,\s]/.test(text)) return 'guess'
  if (ruled.has(text)) return 'none'
  if (text.includes(';')) return 'semicolon'
  return (['comma', 'space'] as const).find((one) => splitText(text, one).some((group) => ruled.has(group))) ?? 'guess'
}

/**
 * The groups of somebody who signs in. What only a test may settle is refused, so that a wrong guess neither gives nor takes a role.
 * @throws {SignInFault} `groups-unclear`
 */
export function requireClearGroups(
  { groupSeparator }: Pick<ProviderRow, 'groupSeparator'>,
  sent: SentGroups,
  ruled: ReadonlySet<string>,
): string[] {
  if (groupSeparator !== 'guess') return readGroups(groupSeparator, sent)
  const guessed = guessSeparator(sent, ruled)
  if (guessed === 'comma' || guessed === 'space') throw new SignInFault('groups-unclear', 'one text, which may be several groups')
  return readGroups(guessed, sent)
}
