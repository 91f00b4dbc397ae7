import type { Mutant } from './mutant.ts'

const VIEWER = 'app/server/auth/viewer.ts'
const PASSWORDS = 'app/features/accounts/passwords.server.ts'
const SECOND_STEP = 'app/features/accounts/second-step/check-second-step.server.ts'
const DECRYPTION = 'app/features/identity/saml/decrypt-assertion.server.ts'
const CLAIMS = 'app/features/identity/provider-claims.server.ts'
const PROVIDER_SIGN_IN = 'app/features/identity/sign-in.server.ts'
const UNKNOWN_SUBJECTS = 'app/features/identity/unknown-subjects.server.ts'
const MERGE = 'app/features/people/people.merge.server.ts'

const SESSIONS = ['tests/api/accounts-sessions.test.ts']
const TOKENS = ['tests/api/api-tokens.test.ts']
const TWO_STEPS = ['tests/api/second-step.test.ts']
const PROVIDERS = ['tests/api/identity.test.ts']
const PEOPLE = ['tests/api/accounts-people.test.ts', 'tests/api/people.test.ts']

/** Who somebody is: sessions, passwords, second steps, providers, tokens of programs, merged accounts. */
export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a session works after its end',
    file: VIEWER,
    from: "          gt(sessions.expiresAt, sql.placeholder('now')),\n",
    to: '',
    tests: SESSIONS,
  },
  {
    name: 'somebody blocked stays signed in',
    file: VIEWER,
    from: "gt(sessions.expiresAt, sql.placeholder('now')),\n          isNull(users.blockedAt),\n",
    to: "gt(sessions.expiresAt, sql.placeholder('now')),\n",
    tests: [...SESSIONS, ...PEOPLE],
  },
  {
    name: 'roles from a group elsewhere count however somebody signed in',
    file: VIEWER,
    from: 'and (${memberships.providerId} is null or ${fromProvider}))`',
    to: ')`',
    tests: PROVIDERS,
  },
  {
    name: 'an API token works after it was revoked',
    file: VIEWER,
    from: '          isNull(apiTokens.revokedAt),\n',
    to: '',
    tests: TOKENS,
  },
  {
    name: 'an API token works after its end',
    file: VIEWER,
    from: '          gt(apiTokens.expiresAt, now),\n',
    to: '',
    tests: TOKENS,
  },
  {
    name: 'the API token of somebody blocked works',
    file: VIEWER,
    from: 'isNull(apiTokens.revokedAt),\n          isNull(users.blockedAt),\n',
    to: 'isNull(apiTokens.revokedAt),\n',
    tests: TOKENS,
  },
  {
    name: 'an API token does what is outside its scopes',
    file: 'app/server/api/token-scopes.ts',
    from: 'return allowing.some((scope) => viewer.apiToken?.scopes.includes(scope))',
    to: 'return allowing.length >= 0',
    tests: TOKENS,
  },
  {
    name: 'an API token that may read writes',
    file: 'app/server/api/token-scopes.ts',
    from: "...(access === 'read' ? [`${area}:read` as const] : [])",
    to: '`${area}:read` as const',
    tests: TOKENS,
  },
  {
    name: 'a role from a provider makes API tokens that outlive it',
    file: 'app/features/api-tokens/api-tokens.server.ts',
    from: '    await requireOwnRole(tx, viewer)\n',
    to: '',
    tests: [...TOKENS, ...PROVIDERS],
  },
  {
    name: 'a new password by a link leaves sessions open',
    file: PASSWORDS,
    from: '    await endAccountSessions(tx, siteId, user.id)\n',
    to: '',
    tests: [...SESSIONS, 'tests/api/accounts-registration.test.ts'],
  },
  {
    name: 'a changed password leaves other sessions open',
    file: PASSWORDS,
    from: '    await endAccountSessions(tx, siteId, viewer.id, viewer.sessionId)\n',
    to: '',
    tests: [...SESSIONS, 'tests/api/accounts-registration.test.ts'],
  },
  {
    name: 'a common password is accepted',
    file: 'app/server/auth/passwords.ts',
    from: 'getCommonPasswords().has(password.toLowerCase()) || ',
    to: '',
    tests: ['app/server/auth/passwords.test.ts'],
  },
  {
    name: 'passwords are guessed without limit',
    file: 'app/features/accounts/sessions.server.ts',
    from: '[...limitStrangers(ctx, input.email, siteId), ...limitGuessesByAddress',
    to: '[...limitGuessesByAddress',
    tests: SESSIONS,
  },
  {
    name: 'a network guesses passwords without limit',
    file: 'app/features/accounts/sessions.server.ts',
    from: ", ...limitGuessesByAddress(ctx, 'sign-in')]",
    to: ']',
    tests: SESSIONS,
  },
  {
    name: 'a limit forgets what was tried before the hour struck',
    file: 'app/server/limits/limits.ts',
    from: 'if (row.attempts + row.before * shareBefore > most)',
    to: 'if (row.attempts > most)',
    tests: ['app/server/limits/limits.test.ts'],
  },
  {
    name: 'a code of an authenticator app works twice',
    file: SECOND_STEP,
    from: '.where(and(isOwn, lt(authenticatorApps.lastUsedStep, step)))',
    to: '.where(isOwn)',
    tests: TWO_STEPS,
  },
  {
    name: 'a recovery code works twice',
    file: 'app/features/accounts/second-step/recovery-codes.server.ts',
    from: '        isNull(recoveryCodes.usedAt),\n      ),',
    to: '      ),',
    tests: TWO_STEPS,
  },
  {
    name: 'second steps are guessed without limit',
    file: SECOND_STEP,
    from: "        ...limitGuessesOf(ctx, { name: 'second-step', of: id, siteId, most: 10, minutes: DAY_MINUTES }),\n",
    to: '',
    tests: TWO_STEPS,
  },
  {
    name: 'nobody is told that their recovery code was used',
    file: SECOND_STEP,
    from: "  await queueAccountMail(ctx, tx, user, { kind: 'recovery-code-used', left })\n",
    to: '',
    tests: TWO_STEPS,
  },
  {
    name: 'a sign-in waits for its second step without end',
    file: 'app/features/accounts/second-step/pending-sign-ins.server.ts',
    from: ', gt(pendingSignIns.expiresAt, ctx.now())',
    to: '',
    tests: TWO_STEPS,
  },
  {
    name: 'a forgotten session exports, erases and gives roles',
    file: 'app/features/permissions/fresh-sign-in.policy.server.ts',
    from: '<= FRESH_MINUTES * 60_000',
    to: '<= Infinity',
    tests: ['tests/api/fresh-sign-in.test.ts'],
  },
  {
    name: 'a forgotten session does what the table wants a fresh sign-in for',
    file: 'app/features/permissions/permissions.policy.server.ts',
    from: 'needsFreshSignIn(action) && ',
    to: 'false && ',
    tests: ['tests/api/fresh-acts.test.ts'],
  },
  {
    name: 'who asked for a change of a provider agrees to it',
    file: 'app/features/identity/decide-on-change.server.ts',
    from: "  if (seen.askedBy === viewer.id) throw new AppError('forbidden', { detail: { key: 'own-change' } })\n",
    to: '',
    tests: ['tests/api/second-administrator.test.ts'],
  },
  {
    name: 'new rules of an active provider wait for nobody',
    file: 'app/features/identity/waiting-changes.server.ts',
    from: ': isChanged && ',
    to: ': false && ',
    tests: ['tests/api/second-administrator.test.ts'],
  },
  {
    name: 'a provider’s callback works twice',
    file: PROVIDER_SIGN_IN,
    from: '  await ctx.db.tx((tx) => consumeSignInKey(ctx, tx, `state ${attempt.state}`, new Date(attempt.until)))\n',
    to: '',
    tests: PROVIDERS,
  },
  {
    name: 'a provider signs somebody in whose account is blocked',
    file: PROVIDER_SIGN_IN,
    from: "  if (user.blockedAt) throw new SignInFault('blocked', 'the account is blocked')\n",
    to: '',
    tests: PROVIDERS,
  },
  {
    name: 'a provider under test is open to everybody it knows',
    file: PROVIDER_SIGN_IN,
    from: "row.state === 'testing' && (userId === null || row.makerId !== userId)",
    to: "row.state === 'testing' && userId === null",
    tests: PROVIDERS,
  },
  {
    name: 'a passkey that may be a copy is accepted',
    file: 'app/features/accounts/second-step/check-passkey.server.ts',
    from: 'eq(passkeys.id, row.id), isNext))',
    to: 'eq(passkeys.id, row.id)))',
    tests: ['tests/api/passkeys.test.ts'],
  },
  {
    name: 'a SAML answer to somebody else’s request signs in',
    file: 'app/features/identity/saml/saml-answers.server.ts',
    from: 'checked.inResponseTo !== buildRequestId(challenge)',
    to: 'checked.inResponseTo === buildRequestId(challenge) && false',
    tests: ['tests/api/saml.test.ts'],
  },
  {
    name: 'a SAML answer that anybody may change is decrypted',
    file: DECRYPTION,
    from: 'if (isMalleable &&',
    to: 'if (isMalleable && false &&',
    tests: ['tests/api/saml.test.ts'],
  },
  {
    name: 'what was encrypted is not inspected',
    file: DECRYPTION,
    from: '    inspectDecrypted(inside)\n',
    to: '',
    tests: ['tests/api/saml.test.ts'],
  },
  {
    name: 'a plain SAML answer counts where encryption is required',
    file: DECRYPTION,
    from: "row.assertionEncryption === 'required'",
    to: 'false',
    tests: ['tests/api/saml.test.ts'],
  },
  {
    name: 'a password found in a breach is accepted',
    file: 'app/server/auth/breached-passwords.ts',
    from: 'return lines.some(',
    to: 'return lines.every(',
    tests: ['tests/api/breached-passwords.test.ts'],
  },
  {
    name: 'a provider’s weaker sign-in counts',
    file: CLAIMS,
    from: '  requireLevel(row, claims)\n',
    to: '',
    tests: PROVIDERS,
  },
  {
    name: 'a provider signs in people of other domains',
    file: CLAIMS,
    from: '!allowedDomains.includes(domain.toLowerCase())',
    to: '!allowedDomains.some((allowed) => domain.toLowerCase().endsWith(allowed))',
    tests: PROVIDERS,
  },
  {
    name: 'roles fall away because a provider left out the groups',
    file: CLAIMS,
    from: '  requireCompleteGroups(row, claims)\n',
    to: '',
    tests: PROVIDERS,
  },
  {
    name: 'an account is adopted by an address that the provider does not prove',
    file: UNKNOWN_SUBJECTS,
    from: 'const isProven = provesEmail && emailVerified &&',
    to: 'const isProven = emailVerified &&',
    tests: PROVIDERS,
  },
  {
    name: 'an account is adopted by an address that its holder did not confirm',
    file: UNKNOWN_SUBJECTS,
    from: 'account.emailConfirmedAt !== null && account.siteId',
    to: 'account.siteId',
    tests: PROVIDERS,
  },
  {
    name: 'somebody else who is signed in meanwhile gets the subject',
    file: 'app/features/identity/confirm-sign-in.server.ts',
    from: "kind === 'link' && (viewer.kind === 'visitor' || viewer.id !== userId)",
    to: "kind === 'link' && viewer.kind === 'visitor'",
    tests: PROVIDERS,
  },
  {
    name: 'a merged person answers a once-only survey again',
    file: MERGE,
    from: '      await copyParticipations(ctx, tx, { from, into })\n',
    to: '',
    tests: PEOPLE,
  },
  {
    name: 'the ledger of consents is lost in a merge',
    file: MERGE,
    from: '      await moveConsents(tx, ctx.site.id, from, into)\n',
    to: '',
    tests: PEOPLE,
  },
]
