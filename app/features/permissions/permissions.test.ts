import { describe, expect, test } from 'vitest'
import { VISITOR, type HeldRole, type SignedInViewer, type Viewer } from '#app/server/auth/viewer.ts'
import type { Role } from '#app/lib/roles.ts'
import { requirePermission, checkPermission, type Decision, type PermissionTarget } from './permissions.policy.server.ts'
import { SPECIFIED_PERMISSIONS } from '#tests/support/role-table.ts'
import { ACTORS, PERMISSIONS, type Action, type Actor } from './permissions.schema.ts'

const MINE = { hubId: 'my-hub', projectId: 'my-project' }
const FOREIGN = { hubId: 'other-hub', projectId: 'other-project' }

function viewer(role?: Role, held: Partial<HeldRole> = {}, more: Partial<SignedInViewer> = {}): SignedInViewer {
  const roles = role
    ? [
        {
          role,
          hubId: role === 'hub_admin' ? MINE.hubId : null,
          projectId: role === 'project_admin' ? MINE.projectId : null,
          mayExportPersonalData: false,
          ...held,
        },
      ]
    : []
  return {
    kind: 'user',
    id: 'me',
    siteId: 'site',
    sessionId: 'session',
    email: 'me@example.org',
    login: 'Me',
    type: role ? 'administrator' : 'participant',
    confirmed: true,
    lastSeenAt: null,
    roles,
    roleName: role ?? 'participant',
    supportGranted: false,
    ...more,
  }
}

const NOW = new Date('2026-11-24T09:00:00Z')
const asked = (who: Viewer) => ({ viewer: who, now: () => NOW })

const as = (actor: Actor) => (actor === 'visitor' ? VISITOR : actor === 'participant' ? viewer() : viewer(actor))

/** What each rule means for a thing in scope and for one outside it. */
const MEANING: Record<string, { inside: PermissionTarget; outside: PermissionTarget; only?: Extract<Decision, { ok: true }>['only'] }> = {
  scope: { inside: MINE, outside: FOREIGN },
  hub: { inside: MINE, outside: FOREIGN },
  own: { inside: { ownerId: 'me' }, outside: { ownerId: 'someone' } },
  member: { inside: { isMember: true }, outside: { isMember: false } },
  link: { inside: { hasPreviewLink: true }, outside: { hasPreviewLink: false } },
  'never-published': { inside: { ...MINE, everPublished: false }, outside: { ...MINE, everPublished: true } },
  review: { inside: MINE, outside: FOREIGN, only: 'review' },
  drafts: { inside: MINE, outside: FOREIGN, only: 'drafts' },
}

describe('permissions', () => {
  test('the table of the code is the table of the specification', () => {
    expect(PERMISSIONS).toEqual(SPECIFIED_PERMISSIONS)
  })

  for (const action of Object.keys(PERMISSIONS) as Action[]) {
    for (const actor of ACTORS) {
      const rule = SPECIFIED_PERMISSIONS[action][actor]
      test(`${action}: ${actor} → ${rule}`, () => {
        if (rule === 'no')
          return expect(checkPermission(as(actor), action, { ...MINE, ownerId: 'me', everPublished: false }).ok).toBe(false)
        if (rule === 'yes' || rule === 'survey' || rule === 'activity')
          return expect(checkPermission(as(actor), action, FOREIGN).ok).toBe(true)
        if (rule === 'own-acts' || rule === 'catalogue')
          return expect(checkPermission(as(actor), action, FOREIGN)).toEqual({ ok: true, only: rule })
        if (rule === 'grant') {
          expect(checkPermission(as(actor), action).ok).toBe(false)
          return expect(checkPermission(viewer('platform_admin', {}, { supportGranted: true }), action).ok).toBe(true)
        }
        if (rule === 'granted') {
          expect(checkPermission(as(actor), action, MINE).ok).toBe(false)
          expect(checkPermission(viewer('project_admin', { mayExportPersonalData: true }), action, FOREIGN).ok).toBe(false)
          return expect(checkPermission(viewer('project_admin', { mayExportPersonalData: true }), action, MINE).ok).toBe(true)
        }
        const meaning = MEANING[rule]
        if (!meaning) throw new Error(`No meaning for ${rule}`)
        expect(checkPermission(as(actor), action, meaning.inside)).toEqual({ ok: true, ...(meaning.only ? { only: meaning.only } : {}) })
        expect(checkPermission(as(actor), action, meaning.outside).ok).toBe(false)
      })
    }
  }

  test('several roles add up: the widest answer counts', () => {
    const both = viewer('project_admin')
    const roles = [...both.roles, ...viewer('hub_admin').roles]
    expect(checkPermission({ ...both, roles }, 'projects.publish', MINE)).toEqual({ ok: true })
    expect(checkPermission({ ...both, roles: roles.toReversed() }, 'projects.publish', MINE)).toEqual({ ok: true })
  })

  test('a visitor is asked to sign in; a signed-in person without the right is refused', () => {
    expect(() => requirePermission(asked(VISITOR), 'projects.create')).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
    expect(() => requirePermission(asked(viewer()), 'projects.create')).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })

  /** A place where the rule of the only actor who may is met. */
  const WITHIN = { ...MINE, ownerId: 'me', everPublished: false, isMember: true }

  for (const action of Object.keys(SPECIFIED_PERMISSIONS) as Action[]) {
    const actor = (['site_admin', 'platform_admin'] as const).find((one) => SPECIFIED_PERMISSIONS[action][one] !== 'no')
    test(`${action}: ${SPECIFIED_PERMISSIONS[action].freshSignIn ? 'needs' : 'does not need'} a fresh sign-in to act, and never to be offered`, () => {
      const signedIn = (minutesAgo: number) =>
        viewer(actor, {}, { supportGranted: true, confirmedAt: new Date(NOW.getTime() - minutesAgo * 60_000) })
      expect(requirePermission(asked(signedIn(15)), action, WITHIN).ok).toBe(true)
      expect(checkPermission(signedIn(16), action, WITHIN).ok).toBe(true)
      const act = () => requirePermission(asked(signedIn(16)), action, WITHIN)
      if (SPECIFIED_PERMISSIONS[action].freshSignIn) expect(act).toThrow(expect.objectContaining({ code: 'fresh-sign-in-required' }))
      else expect(act().ok).toBe(true)
    })
  }

  test('who may not is told so, however fresh the sign-in is', () => {
    const stale = viewer('hub_admin', {}, { confirmedAt: new Date(0) })
    expect(() => requirePermission(asked(stale), 'site-admins.add')).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})
