/** How a ballot is limited: by what its options cost together, by their number, or by the points that it shares out among them. */
export const BALLOT_TYPES = ['knapsack', 'approve', 'points'] as const
export type BallotType = (typeof BALLOT_TYPES)[number]

/** How ballots are counted. */
export const COUNTING_RULES = ['greedy', 'greedy-no-skip', 'equal-shares'] as const
export type CountingRule = (typeof COUNTING_RULES)[number]

export const BUDGET_STATUSES = ['draft', 'published'] as const
export type BudgetStatus = (typeof BUDGET_STATUSES)[number]

/** Who may vote: verified people, or everybody with a confirmed email address. */
export const BUDGET_ACCESS = ['verified', 'confirmed'] as const
export type BudgetAccess = (typeof BUDGET_ACCESS)[number]

/**
 * Whether people may vote on paper too. `sheets`: the code on a sheet is the right to vote once, whoever holds it. `letters`: the code also opens
 * the ballot online, so that it counts once in either way.
 */
export const PAPER_WAYS = ['none', 'sheets', 'letters'] as const
export type PaperWay = (typeof PAPER_WAYS)[number]

export const PAPER_BATCH_STATES = ['open', 'accepted'] as const
export type PaperBatchState = (typeof PAPER_BATCH_STATES)[number]

/** What became of a sheet. `voted_before`: its code had been used to vote online. */
export const PAPER_OUTCOMES = ['counted', 'spoilt', 'voted_before'] as const
export type PaperOutcome = (typeof PAPER_OUTCOMES)[number]

/** Where a sheet stands: typed by nobody, by one person or by two; `counted` and `voted_before` once its batch is accepted. */
export const PAPER_SHEET_STATES = ['untyped', 'typed_once', 'differs', 'agreed', 'spoilt', 'counted', 'voted_before'] as const
export type PaperSheetState = (typeof PAPER_SHEET_STATES)[number]

/** What screening found: an option that is feasible is on the ballot. */
export const OPTION_STATES = ['idea', 'feasible', 'not_feasible'] as const
export type OptionState = (typeof OPTION_STATES)[number]

/** What those who proposed an option were told of it. `decided`: the result is certified. */
export const TOLD_OUTCOMES = ['feasible', 'not_feasible', 'withdrawn', 'decided'] as const
export type ToldOutcome = (typeof TOLD_OUTCOMES)[number]

export const DELIVERY_STATUSES = ['planned', 'under_way', 'done'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** A result is provisional until a second person certifies it; another count supersedes it. */
export const RESULT_STATES = ['provisional', 'certified', 'superseded'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** A round with more ballots is counted by a job, so that the count does not delay other requests. */
export const MOST_COUNTED_IMMEDIATELY = 10_000
export const BUDGET_COUNT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type BudgetCountState = (typeof BUDGET_COUNT_STATES)[number]

/** Each has 100 minor units. */
export const CURRENCIES = ['CAD', 'GBP', 'EUR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** Where a round stands. `deciding`: voting has ended and no result is certified yet. */
export const BUDGET_PHASES = ['draft', 'announced', 'voting', 'deciding', 'decided'] as const
export type BudgetPhase = (typeof BUDGET_PHASES)[number]
