import type { Mutant } from './mutant.ts'

const COUNTS = ['app/features/contributions/record']
const AT_ONCE = ['app/features/contributions/posting/received-at-once.test.ts']

/** What is counted while others act at the same moment, and what is stored of what was sent twice, too late or from two devices. */
export const COUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'supporters are counted without a lock',
    file: 'app/features/contributions/record/contribution-counts.server.ts',
    from: ') order by id for no key update`)',
    to: ') order by id`)',
    tests: COUNTS,
  },
  {
    name: 'what a contribution was merged into is not counted anew',
    file: 'app/features/contributions/record/contribution-counts.server.ts',
    from: 'join above on c.id = above.merged_into where',
    to: 'join above on false where',
    tests: COUNTS,
  },
  {
    name: 'the nightly check leaves wrong counts of contributions',
    file: 'app/features/dashboard/recount-responses.server.ts',
    from: 'const wrong = await correctContributionCounts(ctx.db)',
    to: 'const wrong: { id: string }[] = []',
    tests: ['app/features/dashboard/recount-responses.test.ts'],
  },
  {
    name: 'what is sent twice at once counts twice against a limit',
    file: 'app/server/limits/receive-once.ts',
    from: '    await lockForTransaction(tx, ctx.site.id, `sending ${id}`)\n',
    to: '',
    tests: AT_ONCE,
  },
  {
    name: 'a reply is stored under what was removed at that moment',
    file: 'app/features/contributions/record/loading.server.ts',
    from: '  await lockContributions(tx, ctx.site.id, [id])\n  return requirePublishedContribution',
    to: '  return requirePublishedContribution',
    tests: AT_ONCE,
  },
  {
    name: 'a contribution is stored in an activity that closed at that moment',
    file: 'app/features/contributions/posting/submit-contribution.server.ts',
    from: "  if (!placed) throw new AppError('not-found')\n  await requirePostingAllowed(ctx, tx, placed, input)\n",
    to: "  if (!placed) throw new AppError('not-found')\n",
    tests: AT_ONCE,
  },
  {
    name: 'an answer is stored in a survey that closed at that moment',
    file: 'app/features/surveys/responses/submit-response.server.ts',
    from: '    requireOpen: (placedNow) => assertOpen(placedNow, input.id, now),\n',
    to: '',
    tests: AT_ONCE,
  },
  {
    name: 'the last of two devices replaces answers in silence',
    file: 'app/features/surveys/responses/edit-response.server.ts',
    from: 'if (former.editId !== draft.replacesEdit && former.editId !== input.over)',
    to: 'if (former.id === draft.id)',
    tests: ['app/features/surveys/responses/edit-response.test.ts'],
  },
  {
    name: 'published figures do not follow changed answers',
    file: 'app/features/surveys/results/publication.server.ts',
    from: '    and(wasCounted, isCounted, isNotNull(responses.editedAt), gt(responses.editedAt, countedAt)),\n',
    to: '',
    tests: ['app/features/surveys/results/publication.test.ts'],
  },
  {
    name: 'a save whose commit was never answered is made again',
    file: 'app/server/db/client.ts',
    from: "!RETRIED_STATES.has(findSqlState(error) ?? '')",
    to: "!RETRIED_STATES.has(findSqlState(error) ?? '40001')",
    tests: ['app/server/db/lost-commit.test.ts'],
  },
  {
    name: 'nobody learns that a status is in use',
    file: 'app/features/contributions/managing/contribution-statuses.resource.server.ts',
    from: '    ...(can.update && { inUse }),\n',
    to: '',
    tests: ['app/features/contributions/contributions.api.test.ts'],
  },
  {
    name: 'a digest tells of activities that its reader may not see',
    file: 'app/features/follows/contribution-news.server.ts',
    from: "p.visibility = 'public' or p.visibility = 'members' and exists (",
    to: "p.visibility = 'public' or p.visibility = 'members' or exists (",
    tests: ['app/features/follows/contribution-news.test.ts'],
  },
  {
    name: 'an address in brackets reaches another mailbox',
    file: 'app/server/mail/deliver.ts',
    from: 'address: requireOneAddress(row.recipient)',
    to: 'address: row.recipient',
    tests: ['app/server/mail/mail.test.ts'],
  },
]
