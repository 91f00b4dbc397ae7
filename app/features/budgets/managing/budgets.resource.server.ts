import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { canEditRounds } from '../budgets.policy.server.ts'
import { getBudgetPhase, isVotingOver } from '../budgets.state.ts'
import { commitToSeed } from '../counting/commit-to-seed.server.ts'
import { budgetOptionShape } from './budget-options.api.schema.ts'
import { createOption, deleteOption, listOptions, loadOptions, updateOption } from './budget-options.server.ts'
import { budgetPotShape } from './budget-pots.api.schema.ts'
import { createPot, deletePot, listPots, loadRoundPots, updatePot } from './budget-pots.server.ts'
import { budgetResultShape } from './budget-results.api.schema.ts'
import { budgetRoundShape } from './budget-rounds.api.schema.ts'
import { createRound, deleteRound, listRounds, loadRounds, updateRound } from './budget-rounds.server.ts'
import { certifyResult, countRound, listResults, loadResults, type PlacedResult } from './count-round.server.ts'
import { listOptionIds, listPotIds } from './related-ids.server.ts'
import type { Ctx } from '#app/server/context.ts'

export const budgetRoundResource = implementResource(budgetRoundShape, {
  load: loadRounds,
  list: listRounds,
  can: (ctx, { round, project, result }) => {
    const update = canEditRounds(ctx, project)
    return {
      update,
      count: update && result?.state !== 'certified' && isVotingOver(ctx.now(), round),
      certify: result?.state === 'provisional' && checkPermission(ctx.viewer, 'budgets.certify', toPermissionTarget(project)).ok,
      override: result?.state === 'certified' && checkPermission(ctx.viewer, 'budgets.certify', toPermissionTarget(project)).ok,
      remove: update && !round.hasBallots,
    }
  },
  lockVersion: ({ round }) => round.lockVersion,
  attributes: ({ round, result, turnout }, ctx) => ({
    slug: round.slug,
    title: round.title,
    intro: round.intro,
    status: round.status,
    phase: getBudgetPhase(ctx.now(), round, result),
    ballotType: round.ballotType,
    minOptions: round.minOptions,
    maxOptions: round.maxOptions,
    maxPots: round.maxPots,
    maxPoints: round.maxPoints,
    rule: round.rule,
    threshold: round.threshold,
    currency: round.currency,
    access: round.access,
    verification: round.verification,
    paper: round.paper,
    opensAt: round.opensAt,
    closesAt: round.closesAt,
    position: round.position,
    hasBallots: round.hasBallots,
    seedHash: round.seed === null ? null : commitToSeed(round.seed),
    ...turnout,
  }),
  relationships: {
    project: { id: ({ round }) => round.projectId, alwaysVisible: true },
    pots: { ids: listPotIds, filter: ({ id }) => ({ round: id }) },
    options: { ids: listOptionIds, filter: ({ id }) => ({ round: id }) },
  },
  create: createRound,
  update: (ctx, row, input, lock) => updateRound(ctx, row.id, input, lock.version),
  remove: (ctx, row) => deleteRound(ctx, row),
})

export const budgetPotResource = implementResource(budgetPotShape, {
  load: loadRoundPots,
  list: listPots,
  can: (ctx, { project }) => ({ update: canEditRounds(ctx, project) }),
  lockVersion: ({ pot }) => pot.lockVersion,
  attributes: ({ pot }) => ({ title: pot.title, amount: pot.amount, position: pot.position }),
  relationships: { round: { id: ({ pot }) => pot.roundId, alwaysVisible: true } },
  create: createPot,
  update: (ctx, row, input, lock) => updatePot(ctx, row, input, lock.version),
  remove: deletePot,
})

export const budgetOptionResource = implementResource(budgetOptionShape, {
  load: loadOptions,
  list: listOptions,
  can: (ctx, { project }) => ({ update: canEditRounds(ctx, project) }),
  lockVersion: ({ option }) => option.lockVersion,
  attributes: ({ option }) => ({
    number: option.number,
    title: option.title,
    text: option.text,
    cost: option.cost,
    costNote: option.costNote,
    place: option.place,
    point: option.lng === null || option.lat === null ? null : { lng: option.lng, lat: option.lat },
    exclusiveGroup: option.exclusiveGroup,
    state: option.state,
    reason: option.reason,
    withdrawn: option.withdrawnAt !== null,
    withdrawnReason: option.withdrawnReason,
    delivery: option.delivery,
    deliveryNote: option.deliveryNote,
  }),
  relationships: {
    round: { id: ({ option }) => option.roundId, alwaysVisible: true },
    pot: { id: ({ option }) => option.potId, alwaysVisible: true },
    contribution: { id: ({ option }) => option.contributionId },
  },
  create: createOption,
  update: (ctx, row, input, lock) => updateOption(ctx, row, input, lock.version),
  remove: deleteOption,
})

const isOwnCount = ({ viewer }: Ctx, { result }: PlacedResult): boolean => viewer.kind === 'user' && result.countedBy === viewer.id

export const budgetResultResource = implementResource(budgetResultShape, {
  load: loadResults,
  list: listResults,
  can: (ctx, row) => ({
    certify:
      row.result.state === 'provisional' &&
      !isOwnCount(ctx, row) &&
      checkPermission(ctx.viewer, 'budgets.certify', toPermissionTarget(row.project)).ok,
  }),
  attributes: (row, ctx) => ({
    state: row.result.state,
    rule: row.result.rule,
    ballots: row.result.ballots,
    paper: row.result.paper,
    pots: row.result.pots as Record<string, unknown>[],
    countedAt: row.result.countedAt,
    certifiedAt: row.result.certifiedAt,
    ...(canEditRounds(ctx, row.project) && { isOwnCount: isOwnCount(ctx, row) }),
  }),
  relationships: { round: { id: ({ result }) => result.roundId, alwaysVisible: true } },
  create: countRound,
  update: certifyResult,
})
