import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { PAPER_BATCH_STATES, PAPER_SHEET_STATES } from '#app/lib/vocabulary/budgets.ts'
import { MAX_SHEETS } from './paper.schema.ts'

const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0))
const numbersSchema = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))), v.maxLength(1000))
const pointsSchema = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))), v.maxLength(1000))
const reasonSchema = v.pipe(v.string(), v.trim(), v.maxLength(300))

/** The marks on a sheet, as one person typed them. */
const readingSchema = v.object({ options: numbersSchema, points: v.nullable(pointsSchema), spoiltReason: v.nullable(v.string()) })

export const paperBatchShape = resourceShape({
  type: 'budget-paper-batches',
  summary:
    'Sheets with codes on which people vote for a budget, such as those that one library hands out. Creating one fixes what ballots rest on',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    number: attribute(countSchema),
    name: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)), { create: 'required', update: true }),
    /** How many sheets are made. */
    sheets: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SHEETS)), { create: 'required' }),
    /** How many sheets came back, as counted by hand. It must agree before the batch is accepted. */
    stated: attribute(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SHEETS))), { update: true }),
    /** Set to `accepted` to count its ballots, which deletes what was typed. */
    state: attribute(v.picklist(PAPER_BATCH_STATES), { update: true }),
    /** Sheets that at least one person typed; after acceptance all that came back. */
    returned: attribute(countSchema),
    /** Of these, those that only one person typed. */
    typedOnce: attribute(countSchema),
    /** Of these, those that two people typed differently and that are not settled yet. */
    differing: attribute(countSchema),
    /** Ballots that count: 0 before the batch is accepted. */
    counted: attribute(countSchema),
    spoilt: attribute(countSchema),
    /** Sheets that do not count because their code was used online first. */
    votedBefore: attribute(countSchema),
    acceptedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { round: toOne('budget-rounds', { create: 'required', nullable: false }) },
  filters: { round: filter.id() },
  sorts: ['number'],
  defaultSort: 'number',
})

export const paperSheetShape = resourceShape({
  type: 'budget-paper-sheets',
  summary: 'Sheets of a batch, by their numbers. What was typed is shown only while two people disagree; changing one settles it',
  operations: ['list', 'get', 'update'],
  attributes: {
    number: attribute(countSchema),
    state: attribute(v.picklist(PAPER_SHEET_STATES)),
    /** What each of two people typed, if they differ. */
    readings: attribute(v.array(readingSchema), { read: 'sometimes' }),
    /** What is really on the sheet. */
    options: attribute(numbersSchema, { read: false, update: true }),
    points: attribute(pointsSchema, { read: false, update: true }),
    spoiltReason: attribute(reasonSchema, { read: false, update: true }),
  },
  relationships: { batch: toOne('budget-paper-batches', { nullable: false }) },
  filters: { batch: filter.id(), state: filter.choices(PAPER_SHEET_STATES) },
  sorts: ['number'],
  defaultSort: 'number',
})

export const paperTypingShape = resourceShape({
  type: 'budget-paper-typings',
  summary: 'What one person read on a sheet of paper. Two people type each sheet, and the second does not see what the first typed',
  operations: ['create'],
  attributes: {
    /** On the sheet. */
    code: attribute(v.pipe(v.string(), v.maxLength(100)), { read: false, create: 'required' }),
    /** Numbers of the chosen options. */
    options: attribute(numbersSchema, { read: false, create: 'required' }),
    /** Of each of them, in the same order: in rounds whose ballots give points. */
    points: attribute(pointsSchema, { read: false, create: 'optional' }),
    /** Why the sheet is no valid ballot. */
    spoiltReason: attribute(reasonSchema, { read: false, create: 'optional' }),
    /** The sheet's number. */
    number: attribute(countSchema),
    state: attribute(v.picklist(PAPER_SHEET_STATES)),
  },
  relationships: { batch: toOne('budget-paper-batches', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-paper-batches': typeof paperBatchShape
    'budget-paper-sheets': typeof paperSheetShape
    'budget-paper-typings': typeof paperTypingShape
  }
}
