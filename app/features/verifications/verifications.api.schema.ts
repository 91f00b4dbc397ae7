import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { suppressibleCountSchema } from '#app/lib/suppressible-count-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { instantSchema, timestampSchema } from '#app/lib/timestamp.ts'
import { ELIGIBILITY_FIELDS, VERIFICATION_LEVELS, VERIFICATION_METHODS } from '#app/lib/vocabulary/verifications.ts'
import { MAX_FIELD_LENGTH, MAX_LETTERS, MAX_LIST_BYTES, MAX_POSTCODES } from './verifications.schema.ts'

const countSchema = v.pipe(v.number(), v.integer())
const typedSchema = v.pipe(v.string(), v.maxLength(MAX_FIELD_LENGTH))

export const eligibilityListShape = resourceShape({
  type: 'eligibility-lists',
  summary: 'Lists of people who may take part. Only keyed hashes are stored: nobody can read who is listed',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  body: { bytes: MAX_LIST_BYTES + 100_000 },
  attributes: {
    name: translated({ max: 120, create: 'required', update: true }),
    level: attribute(v.picklist(VERIFICATION_LEVELS), { create: 'required', update: true }),
    /** What a person types, in this order: a card number, or at least two others. */
    fields: attribute(v.pipe(v.array(v.picklist(ELIGIBILITY_FIELDS)), v.minLength(1), v.maxLength(ELIGIBILITY_FIELDS.length)), {
      create: 'required',
    }),
    /** When the list is deleted, with every verification by it. */
    validUntil: attribute(instantSchema, { create: 'required', update: true }),
    /** A CSV file with a column for each field, by its name or its words in any language. It replaces all entries. */
    csv: attribute(v.pipe(v.string(), v.maxLength(MAX_LIST_BYTES)), { read: false, create: 'optional', update: true }),
    /** This and the next one only for those who may edit lists. */
    entries: attribute(countSchema, { read: 'sometimes' }),
    /** People who were verified by it. */
    verified: attribute(suppressibleCountSchema, { read: 'sometimes' }),
  },
})

export const codeBatchShape = resourceShape({
  type: 'code-batches',
  summary: 'Codes that are sent in letters; each verifies one person. Only keyed hashes are stored',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  attributes: {
    /** For administrators only. */
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(120)), { create: 'required', update: true }),
    level: attribute(v.picklist(VERIFICATION_LEVELS), { create: 'required', update: true }),
    /** When the codes are deleted, with every verification by them. */
    validUntil: attribute(instantSchema, { create: 'required', update: true }),
    /** How many codes to make. */
    count: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_LETTERS)), { read: false, create: 'required' }),
    /** Setting this to true voids all unused codes. This cannot be undone. */
    isEnded: attribute(v.boolean(), { update: true }),
    total: attribute(countSchema),
    /** Codes that have verified a person. */
    used: attribute(suppressibleCountSchema),
    createdAt: attribute(timestampSchema),
    /** Returned once, when they are made. */
    codes: attribute(v.array(v.string()), { read: 'sometimes' }),
    /** What to put before each code in a letter's link or QR code. Returned with them. */
    address: attribute(v.string(), { read: 'sometimes' }),
  },
})

export const verificationTextShape = resourceShape({
  type: 'verification-texts',
  summary: 'Texts with a code, to verify that somebody holds a phone number',
  operations: ['create'],
  attributes: {
    /** As it is dialled in the site's country. It is kept only until the text is sent. */
    phone: attribute(v.pipe(v.string(), v.maxLength(MAX_FIELD_LENGTH)), { read: false, create: 'required' }),
    expiresAt: attribute(timestampSchema),
  },
})

export const postcodeSettingShape = resourceShape({
  type: 'postcode-settings',
  summary: 'Postcodes that people may declare to take part; its id is the site’s. With none, nobody is asked',
  operations: ['list', 'get', 'update'],
  locked: true,
  attributes: {
    /** Whole ones, or beginnings that stand for all that begin so. */
    postcodes: attribute(v.pipe(v.array(v.pipe(v.string(), v.trim(), v.maxLength(12))), v.maxLength(MAX_POSTCODES)), { update: true }),
    /** Those of the site's areas count too. */
    usesAreas: attribute(v.boolean(), { update: true }),
  },
})

export const verificationShape = resourceShape({
  type: 'verifications',
  summary: 'Proofs that somebody may take part: those of the viewer’s account, and of all accounts for those who may confirm people',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    method: attribute(v.picklist(VERIFICATION_METHODS)),
    /** Needed to confirm a person; otherwise the list or letter says it. */
    level: attribute(v.picklist(VERIFICATION_LEVELS), { create: 'optional' }),
    /** The same. */
    validUntil: attribute(instantSchema, { create: 'optional' }),
    /** What the person typed for the list: it is compared and never stored. */
    fields: attribute(
      v.strictObject({
        'card-number': v.optional(typedSchema),
        surname: v.optional(typedSchema),
        'birth-date': v.optional(typedSchema),
        postcode: v.optional(typedSchema),
      }),
      { read: false, create: 'optional' },
    ),
    /** Id of the text that brought the code. */
    text: attribute(idSchema, { read: false, create: 'optional' }),
    /** From a text or a letter. */
    code: attribute(v.pipe(v.string(), v.maxLength(MAX_FIELD_LENGTH)), { read: false, create: 'optional' }),
    /** One that the person says is theirs. */
    postcode: attribute(v.pipe(v.string(), v.maxLength(MAX_FIELD_LENGTH)), { read: false, create: 'optional' }),
    /** Returned only to people without an account, who send it as `invitation` when they take part. */
    secret: attribute(v.string(), { read: 'sometimes' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    /** To be looked up in it. */
    list: toOne('eligibility-lists', { create: 'optional' }),
    /** To be confirmed in person, by those who may. */
    user: toOne('users', { create: 'optional' }),
  },
  filters: { user: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'code-batches': typeof codeBatchShape
    'eligibility-lists': typeof eligibilityListShape
    'postcode-settings': typeof postcodeSettingShape
    'verification-texts': typeof verificationTextShape
    verifications: typeof verificationShape
  }
}
