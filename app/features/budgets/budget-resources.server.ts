import type { AnyResource } from '#app/server/api/implement.ts'
import { budgetCountResource } from './managing/budget-counts.server.ts'
import { budgetOverrideResource } from './managing/budget-overrides.server.ts'
import { budgetOptionResource, budgetPotResource, budgetResultResource, budgetRoundResource } from './managing/budgets.resource.server.ts'
import { paperBatchResource, paperSheetResource, paperTypingResource } from './paper/paper.resource.server.ts'
import { budgetBallotResource } from './voting/budget-ballots.resource.server.ts'

/** What the API has of votes on budgets. */
export const budgetResources: readonly AnyResource[] = [
  budgetBallotResource,
  budgetCountResource,
  budgetOptionResource,
  budgetOverrideResource,
  paperBatchResource,
  paperSheetResource,
  paperTypingResource,
  budgetPotResource,
  budgetResultResource,
  budgetRoundResource,
]
