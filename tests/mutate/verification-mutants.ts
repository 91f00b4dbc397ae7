import type { Mutant } from './mutant.ts'

const BY_CODE = 'app/features/verifications/verify-by-code.server.ts'
const BY_TEXT = 'app/features/verifications/verify-by-text.server.ts'
const BY_POSTCODE = 'app/features/verifications/verify-by-postcode.server.ts'
const BY_PROVIDER = 'app/features/verifications/provider-verifications.server.ts'
const BATCHES = 'app/features/verifications/code-batches.server.ts'
const HELD = 'app/features/verifications/held-verifications.server.ts'
const STORE = 'app/features/verifications/store-verification.server.ts'

const VERIFICATIONS = ['app/features/verifications']
const PROVIDERS = ['tests/api/identity.test.ts']

/** Who is verified, by what, and for how long. */
export const VERIFICATION_MUTANTS: readonly Mutant[] = [
  {
    name: 'a letter’s code verifies a second person',
    file: BY_CODE,
    from: 'if (used && !held.some(',
    to: 'if (used && held.some(',
    tests: VERIFICATIONS,
  },
  {
    name: 'codes from letters are guessed without limit',
    file: BY_CODE,
    from: 'limitGuesses(ctx, listTryLimits(ctx, browserToken), ',
    to: 'limitGuesses(ctx, [], ',
    tests: VERIFICATIONS,
  },
  {
    name: 'codes of an ended batch still verify',
    file: BATCHES,
    from: '      await deleteUnusedCodes(ctx, tx, row.id)\n',
    to: '',
    tests: VERIFICATIONS,
  },
  {
    name: 'a letter’s code proves more than its batch now says',
    file: BATCHES,
    from: '.set({ level: now.level, validUntil: now.validUntil })',
    to: '.set({ validUntil: now.validUntil })',
    tests: VERIFICATIONS,
  },
  {
    name: 'an ended verification still lets people in',
    file: HELD,
    from: 'row.validUntil > now &&',
    to: '',
    tests: VERIFICATIONS,
  },
  {
    name: 'a weaker proof than the activity asks for is enough',
    file: HELD,
    from: 'VERIFICATION_LEVELS.indexOf(held.level) >= VERIFICATION_LEVELS.indexOf(level) &&\n  ',
    to: '',
    tests: VERIFICATIONS,
  },
  {
    name: 'being on another list is enough',
    file: HELD,
    from: 'held.listId === list)',
    to: 'held.listId !== null)',
    tests: VERIFICATIONS,
  },
  {
    name: 'a wrong code from a text is not counted',
    file: BY_TEXT,
    from: '${verificationTexts.tries} + 1`',
    to: '${verificationTexts.tries}`',
    tests: VERIFICATIONS,
  },
  {
    name: 'a code from a text works after its time',
    file: BY_TEXT,
    from: 'if (!sent || sent.expiresAt <= ctx.now() || sent.tries',
    to: 'if (!sent || sent.tries',
    tests: VERIFICATIONS,
  },
  {
    name: 'a code from a text works twice',
    file: BY_TEXT,
    from: '    await tx.delete(verificationTexts).where(isText(ctx, textId))\n',
    to: '',
    tests: VERIFICATIONS,
  },
  {
    name: 'codes are texted to numbers abroad',
    file: BY_TEXT,
    from: '!phone || !isLocalPhone(phone, ctx.site.region)',
    to: '!phone',
    tests: VERIFICATIONS,
  },
  {
    name: 'a number verifies two people',
    file: BY_TEXT,
    from: 'subjectHash: sent.phoneHash, method',
    to: "subjectHash: 'hash-holder', method",
    tests: VERIFICATIONS,
  },
  {
    name: 'a postcode proves that somebody lives there',
    file: BY_POSTCODE,
    from: "level: 'contact',",
    to: "level: 'resident',",
    tests: VERIFICATIONS,
  },
  {
    name: 'a postcode of no area and no beginning is accepted',
    file: BY_POSTCODE,
    from: 'postcodes.some((one) => postcode.startsWith(one))',
    to: 'postcodes.length > 0',
    tests: VERIFICATIONS,
  },
  {
    name: 'a provider that is not in use yet verifies people',
    file: BY_PROVIDER,
    from: "if (!level || state !== 'active') return",
    to: 'if (!level) return',
    tests: [...VERIFICATIONS, ...PROVIDERS],
  },
  {
    name: 'guests of the platform are verified',
    file: STORE,
    from: "if (ctx.viewer.kind === 'user' && !findOwnId(ctx)) throw new AppError('forbidden')",
    to: '',
    tests: VERIFICATIONS,
  },
]
