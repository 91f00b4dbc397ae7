/** A fault that is planted in the product, and the tests of which at least one must then fail. */
export interface Mutant {
  /** What the product would do wrong. */
  name: string
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  /** Files or folders, from the top of the repository. */
  tests: readonly string[]
}

const POLICY = 'app/features/permissions/permissions.policy.server.ts'
const TABLE = 'app/features/permissions/permissions.schema.ts'
const ROLES = ['tests/api/roles.test.ts']

/** Kept for good: each stands for a promise. A fault that no test notices is mended by a test, never by leaving it out here. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a platform administrator sees responses',
    file: TABLE,
    from: `'responses.see': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no')`,
    to: `'responses.see': buildRules('no', 'no', 'scope', 'scope', 'yes', 'yes')`,
    tests: ROLES,
  },
  {
    name: 'a hub administrator deletes a project that was published',
    file: POLICY,
    from: 'allowIf(inScope && place.everPublished === false)',
    to: 'allowIf(inScope)',
    tests: ROLES,
  },
  {
    name: 'personal data is exported without the grant',
    file: POLICY,
    from: 'allowIf(inScope && mayExport)',
    to: 'allowIf(inScope)',
    tests: ROLES,
  },
  {
    name: 'a hub administrator acts in every department',
    file: POLICY,
    from: `held.role === 'hub_admin' && held.hubId !== null && held.hubId === place.hubId`,
    to: `held.role === 'hub_admin' && held.hubId !== null`,
    tests: ROLES,
  },
  {
    name: 'a platform administrator counts as a participant of every site',
    file: POLICY,
    from: `viewer.roleName === 'platform_admin' ? undefined :`,
    to: `viewer.roleName === undefined ? undefined :`,
    tests: ROLES,
  },
  {
    name: 'a platform administrator enters without a support grant',
    file: POLICY,
    from: 'allowIf(viewer?.supportGranted)',
    to: 'allowIf(viewer !== undefined)',
    tests: ['app/features/permissions', ...ROLES],
  },
  {
    name: 'a preview link opens what it was not made for',
    file: POLICY,
    from: 'allowIf(place.hasPreviewLink)',
    to: 'allowIf(true)',
    tests: ROLES,
  },
  {
    name: 'lists show what is outside the scope',
    file: POLICY,
    from: `if (rule === 'yes' || (rule === 'grant' && viewer.supportGranted)) return undefined`,
    to: `if (rule === 'yes' || rule === 'scope' || (rule === 'grant' && viewer.supportGranted)) return undefined`,
    tests: ['tests/api/structure.test.ts', 'tests/api/surveys.test.ts', 'app/features/projects'],
  },
  {
    name: 'small counts of results are public',
    file: 'app/lib/suppressed-cells.ts',
    from: 'export const SUPPRESSION_THRESHOLD = 5',
    to: 'export const SUPPRESSION_THRESHOLD = 1',
    tests: ['app/features/surveys/results', 'tests/api/response-figures.test.ts'],
  },
  {
    name: 'a suppressed count follows from its total',
    file: 'app/lib/suppressed-cells.ts',
    from: 'const next = findCellForSmallSum(lines, hidden, unknown) ?? findCellBesideSolvable(cells, hidden, unknown)',
    to: 'const next = lines.size < 0 ? findCellForSmallSum(lines, hidden, unknown) ?? findCellBesideSolvable(cells, hidden, unknown) : undefined',
    tests: ['app/features/surveys/results'],
  },
  {
    name: 'questions that few people answered are public',
    file: 'app/features/surveys/results/publishable-figures.ts',
    from: 'if (answered < SUPPRESSION_THRESHOLD) return suppressEverything(figures)',
    to: 'if (answered < 0) return suppressEverything(figures)',
    tests: ['app/features/surveys/results', 'tests/api/response-figures.test.ts'],
  },
  {
    name: 'a spreadsheet runs what somebody typed',
    file: 'app/lib/csv.ts',
    from: `FORMULA_START.test(value) ? `,
    to: `value === '' ? `,
    tests: ['app/lib/csv.test.ts', 'app/features/surveys/export'],
  },
  {
    name: 'the audit chain does not cover who acted',
    file: 'app/features/audit/audit.chain.server.ts',
    from: '    line.actorId,\n    line.actorRole,\n',
    to: '',
    tests: ['tests/api/audit.test.ts'],
  },
  {
    name: 'the end of the audit trail can be cut off',
    file: 'app/features/audit/audit.chain.server.ts',
    from: 'if (lines.length === 0) return buildResult(sequence + 1)',
    to: 'if (lines.length === 0) return buildResult(null)',
    tests: ['tests/api/audit.test.ts'],
  },
  {
    name: 'the last audit event can be replaced',
    file: 'app/features/audit/audit.chain.server.ts',
    from: 'sequence > chain.beginsAfter && !hash.equals(chain.hash) ? sequence : null',
    to: 'null',
    tests: ['tests/api/audit.test.ts'],
  },
  {
    name: 'a respondent’s file is opened without a trace',
    file: 'app/features/surveys/responses/files/sent-files.server.ts',
    from: `    await recordSurveyAudit(ctx, tx, { survey, project }, 'responses.file', { response: response.id, file: id })\n`,
    to: '',
    tests: ['app/features/surveys/responses', 'tests/api/surveys.test.ts', 'tests/api/audit.test.ts', 'tests/api/survey-intake.test.ts'],
  },
  {
    name: 'evilexample.com may frame what example.com may',
    file: 'app/features/embeds/embeds.server.ts',
    from: 'hostname.endsWith(`.${host}`))',
    to: 'hostname.endsWith(host))',
    tests: ['app/features/embeds'],
  },
  {
    name: 'evilexample.com is shown where example.com is allowed',
    file: 'app/features/homepage/embed-domains.server.ts',
    from: 'url.hostname.endsWith(`.${host}`))',
    to: 'url.hostname.endsWith(host))',
    tests: ['app/features/embeds', 'app/features/homepage'],
  },
  {
    name: 'scripts read the sign-in token',
    file: 'app/lib/device-storage.ts',
    from: "`${readable ? '' : '; HttpOnly'}",
    to: '`',
    tests: ['tests/api/accounts-sessions.test.ts', 'tests/api/page-state.test.ts', 'app/lib', 'app/shell'],
  },
  {
    name: 'an old confirmation link takes an address back',
    file: 'app/features/accounts/one-time-links.server.ts',
    from: '  await revokeLinks(ctx, tx, link.siteId, link.userId, [link.purpose])\n',
    to: '',
    tests: ['tests/api/accounts-registration.test.ts', 'tests/api/accounts-people.test.ts', 'tests/api/secrets-of-mails.test.ts'],
  },
  {
    name: 'a link works twice',
    file: 'app/features/accounts/one-time-links.server.ts',
    from: "if (taken.length === 0) throw new AppError('link-expired')",
    to: '',
    tests: ['tests/api/accounts-registration.test.ts', 'tests/api/accounts-people.test.ts', 'tests/api/secrets-of-mails.test.ts'],
  },
  {
    name: 'links never end',
    file: 'app/features/accounts/one-time-links.server.ts',
    from: '            gt(oneTimeLinks.expiresAt, ctx.now()),\n',
    to: '',
    tests: ['tests/api/accounts-registration.test.ts', 'tests/api/accounts-people.test.ts', 'tests/api/site-admins.test.ts'],
  },
  {
    name: 'one number is sent any number of codes',
    file: 'app/features/sms/phone-numbers.server.ts',
    from: `    { name: 'phone-code/number', of: phone, most: 5, minutes: 60 },\n`,
    to: '',
    tests: ['app/features/sms/phone-numbers.test.ts'],
  },
  {
    name: 'a message from Twilio with a repeated parameter is refused',
    file: 'app/features/marketplace/integrations/twilio/twilio.server.ts',
    from: '[...new Set(form.getAll(name))].toSorted().map((value) => name + value)',
    to: '[form.get(name)].map((value) => name + value)',
    tests: ['app/features/sms/receive-messages.test.ts'],
  },
  {
    name: 'a message that Twilio did not sign is believed',
    file: 'app/features/marketplace/integrations/twilio/twilio.server.ts',
    from: 'return given.length === expected.length && timingSafeEqual(given, expected)',
    to: 'return given.length !== expected.length || timingSafeEqual(given, given)',
    tests: ['app/features/sms/receive-messages.test.ts'],
  },
  {
    name: 'a newsletter is sent to somebody blocked',
    file: 'app/features/campaigns/audience.server.ts',
    from: '    isNull(users.blockedAt),\n',
    to: '',
    tests: ['app/features/campaigns'],
  },
  {
    name: 'a newsletter is sent to an address that nobody confirmed',
    file: 'app/features/campaigns/audience.server.ts',
    from: '    isNotNull(users.emailConfirmedAt),\n',
    to: '',
    tests: ['app/features/campaigns'],
  },
  {
    name: 'text on the accent colour is not checked',
    file: 'app/lib/contrast.ts',
    from: `  ['onAccent', 'accent', TEXT_RATIO],\n`,
    to: '',
    tests: ['app/ui/theme.test.ts', 'tests/api/revisions.test.ts', 'app/lib'],
  },
  {
    name: 'an unreadable palette is published',
    file: 'app/features/appearance/appearance.server.ts',
    from: 'const contrast = findContrastFaults(palette).map(',
    to: 'const contrast = findContrastFaults(palette).slice(1).map(',
    tests: ['tests/api/revisions.test.ts'],
  },
  {
    name: 'a page marked private is kept for others',
    file: 'app/serve/page-store.ts',
    from: '!/no-store|private/i',
    to: '!/no-store/i',
    tests: ['app/serve/page-store.test.ts', 'app/serve'],
  },
  {
    name: 'of two saves at once both win',
    file: 'app/features/revisions/revisions.server.ts',
    from: 'and(isHeadOf(ctx, kind, placeId), sql`${revisionHeads.draftId} is not distinct from ${parentId}::uuid`)',
    to: 'isHeadOf(ctx, kind, placeId)',
    tests: ['tests/api/revisions.test.ts', 'tests/run/editing.test.ts'],
  },
  {
    name: 'a contribution leaves a state that somebody else just changed',
    file: 'app/features/contributions/moderation/decide.server.ts',
    from: 'eq(contributions.id, row.id), eq(contributions.state, row.state)))',
    to: 'eq(contributions.id, row.id)))',
    tests: ['app/features/contributions/moderation', 'app/features/contributions/contributions.test.ts'],
  },
  {
    name: 'a withdrawn text stays in the database',
    file: 'app/features/contributions/moderation/decide.server.ts',
    from: '      ...(textGoes && WITHOUT_TEXT),\n',
    to: '',
    tests: ['app/features/contributions'],
  },
  {
    name: 'earlier versions of a withdrawn text stay',
    file: 'app/features/contributions/moderation/decide.server.ts',
    from: '    await tx.delete(contributionVersions).where(versions)\n',
    to: '',
    tests: ['app/features/contributions'],
  },
  {
    name: 'an activity is posted to after it closed',
    file: 'app/features/contributions/posting/submit-contribution.server.ts',
    from: "if (state === 'closed' && !isInGracePeriod",
    to: "if (state === 'preview' && !isInGracePeriod",
    tests: ['app/features/contributions'],
  },
  {
    name: 'a download without personal data holds the texts of refused contributions',
    file: 'app/features/contributions/results/activity-export.server.ts',
    from: "const isReadable = personal || (row.state !== 'declined' && row.state !== 'removed')",
    to: 'const isReadable = true',
    tests: ['app/features/contributions/results'],
  },
]
