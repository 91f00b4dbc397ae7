import type { MapBubble, PlacesMapView } from '#app/features/contributions/record/places.schema.ts'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import type { LedgerProof } from '#app/features/ledger/proof.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { BallotType, BudgetPhase, CountingRule, Currency, DeliveryStatus } from '#app/lib/vocabulary/budgets.ts'
import type { Reason } from './counting/election.ts'
import type { Points } from './voting/ballot-rules.ts'

export const BALLOT_ORDERS = ['drawn', 'cost', 'name'] as const
export type BallotOrder = (typeof BALLOT_ORDERS)[number]

/** What everybody sees of a round. Times are ISO 8601. */
export interface RoundView {
  id: string
  slug: string
  title: LocalisedText
  intro: LocalisedText
  phase: BudgetPhase
  opensAt: string | null
  closesAt: string | null
  /** Until when a ballot that was opened before closing may be cast. */
  lateUntil: string | null
  ballotType: BallotType
  minOptions: number
  maxOptions: number | null
  maxPots: number | null
  maxPoints: number | null
  currency: Currency
  project: { slug: string; title: LocalisedText }
  /** In lists and search engines. */
  listed: boolean
}

export interface PotView {
  id: string
  title: LocalisedText
  amount: number
}

export interface OptionView {
  number: number
  potId: string
  title: LocalisedText
  text: LocalisedText
  cost: number
  costNote: LocalisedText
  place: string
  isWithdrawn: boolean
  withdrawnReason: LocalisedText
}

/** The options that have a point, as the places of contributions are drawn. */
export interface OptionsMapView extends Omit<PlacesMapView, 'bubbles'> {
  /** With the numbers of its options, if the map does not get closer. */
  bubbles: readonly (MapBubble & { numbers: readonly number[] })[]
}

/** The ballot of a reader, and what they may do with it. */
export interface BallotView {
  round: RoundView
  pots: readonly PotView[]
  /** In the order in which they are shown. */
  options: readonly OptionView[]
  order: BallotOrder
  /** Null if none of them has a point. */
  map: OptionsMapView | null
  /** What the reader narrowed the map to. */
  bbox: string | null
  /** Numbers of the options chosen so far. */
  chosen: readonly number[]
  /** Of each of them, where ballots give points. */
  points: Points
  /** Options that were withdrawn after the reader had cast a ballot with them. */
  withdrawn: readonly OptionView[]
  /** Proposals that screening found not to be feasible. */
  notFeasible: readonly (Pick<OptionView, 'number' | 'title'> & { reason: LocalisedText })[]
  /** How often the reader has cast their ballot; null if they have not, or nothing recognises them. */
  castVersion: number | null
  /** The choice is not what was cast. */
  isChanged: boolean
  /** Whether the ballot may still be cast: until closing, or a little later if it was opened before. */
  isOpen: boolean
  /** When the ballot was opened, in milliseconds. */
  openedAt: number
  refusal: AccessRefusal | null
  sending: Sending
  now: string
}

export interface BallotReceiptView {
  round: RoundView
  /** Null if the browser holds no receipt of this round. */
  receipt: {
    code: string
    /** To the hour. */
    castAt: string
    /** The result is certified, and this ballot is in it. */
    isCounted: boolean
    /** Null for rounds without a ledger. */
    proof: LedgerProof | null
  } | null
  /** Options of the round that were withdrawn, whatever the ballot says. */
  withdrawn: readonly Pick<OptionView, 'number' | 'title' | 'withdrawnReason'>[]
  /** Where receipts are looked up. */
  address: string
}

export interface RoundCardView {
  slug: string
  title: LocalisedText
  intro: LocalisedText
  phase: BudgetPhase
  opensAt: string | null
  closesAt: string | null
  position: number
  options: number
  total: number
  currency: Currency
}

export interface ResultRowView {
  number: number
  title: LocalisedText
  cost: number
  votes: number
  isFunded: Record<CountingRule, boolean>
  reasons: Record<CountingRule, Reason>
  delivery: DeliveryStatus | null
  deliveryNote: LocalisedText
  /** What a body decided instead of the rule. */
  override: { isFunded: boolean; body: LocalisedText; reason: LocalisedText } | null
}

export interface OutcomeView {
  funded: number
  cost: number
  /** Ballots with at least one funded option. */
  satisfied: number
}

export interface StepView {
  option: number
  isFunded: boolean
  score: number
  left: number
  tie: { options: readonly number[]; by: 'votes' | 'cost' | 'lot' } | null
}

/** What became of one pot. */
export interface PotResultView extends PotView {
  ballots: number
  /** How many of these were on paper. */
  paper: number
  digest: string
  lot: string
  rows: readonly ResultRowView[]
  /** Null if none of the options has a point. */
  map: OptionsMapView | null
  withdrawn: readonly Pick<OptionView, 'number' | 'title' | 'withdrawnReason'>[]
  outcomes: Record<CountingRule, OutcomeView>
  steps: readonly StepView[]
  shares: { first: number; last: number; raised: number; nextCost: number | null } | null
}

export interface BudgetResultsView {
  round: RoundView
  pots: readonly Pick<PotView, 'id' | 'title' | 'amount'>[]
  /** The pot that is shown, from 1 on. */
  shown: number
  pot: PotResultView
  rule: CountingRule
  /** Beside the rule that decided. */
  other: CountingRule
  ballots: number
  seedHash: string
  seed: string
  countedAt: string
  certifiedAt: string
  /** Null for rounds without a ledger. */
  ledger: LedgerHead | null
}

/** The rule to compare another one with. */
export const chooseOtherRule = (rule: CountingRule): CountingRule => (rule === 'equal-shares' ? 'greedy' : 'equal-shares')
