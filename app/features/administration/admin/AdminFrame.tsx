import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeatureName, SiteFeatureName } from '#app/features/feature-switches/feature-switches.schema.ts'
import type { Role } from '#app/lib/roles.ts'
import { usePageState, useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { AdminIcon, type AdminIconName } from '#app/ui/admin/admin-icon.tsx'
import { AdminShell, CommandHint } from '#app/ui/admin/admin-shell.tsx'
import { Toasts } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import type { FindableKind } from '../administration.queries.ts'
import { findHelpScreen } from '../help-screens.ts'
import { AdminLanguages } from './AdminLanguages.tsx'
import { RolesMenu } from './RolesMenu.tsx'
import { type Shortcut, useShortcuts } from './use-shortcuts.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }))
const Shortcuts = lazy(async () => ({ default: (await import('./Shortcuts.tsx')).Shortcuts }))

interface NavEntry {
  to:
    | '/admin'
    | '/admin/projects'
    | '/admin/calendar'
    | '/admin/reports'
    | '/admin/homepage'
    | '/admin/appearance'
    | '/admin/surveys'
    | '/admin/contributions'
    | '/admin/moderation'
    | '/admin/campaigns'
    | '/admin/newsletters'
    | '/admin/city-data'
    | '/admin/marketplace'
    | '/admin/sign-in'
    | '/admin/media'
    | '/admin/languages'
    | '/admin/outbox'
    | '/admin/audit'
    | '/admin/privacy'
    | '/admin/people'
    | '/admin/support'
    | '/admin/sites'
    | '/admin/health'
    | '/admin/pages'
    | '/admin/hubs'
    | '/admin/embeds'
    | '/admin/features'
    | '/admin/settings'
    | '/admin/api-tokens'
  icon: AdminIconName
  label:
    | 'nav.dashboard'
    | 'nav.projects'
    | 'nav.calendar'
    | 'nav.reports'
    | 'nav.homepage'
    | 'nav.appearance'
    | 'nav.surveys'
    | 'nav.contributions'
    | 'nav.moderation'
    | 'nav.texts'
    | 'nav.newsletters'
    | 'nav.city-data'
    | 'nav.marketplace'
    | 'nav.sign-in'
    | 'nav.media'
    | 'nav.languages'
    | 'nav.outbox'
    | 'nav.audit'
    | 'nav.privacy'
    | 'nav.people'
    | 'nav.support'
    | 'nav.sites'
    | 'nav.health'
    | 'nav.pages'
    | 'nav.hubs'
    | 'nav.embeds'
    | 'nav.features'
    | 'nav.settings'
    | 'nav.api-tokens'
  /** Roles that see this entry; if absent, everyone with access sees it. */
  roles?: readonly Role[]
  /** Shown only if this feature is switched on. */
  feature?: FeatureName
  /** Shown only if the platform granted this feature to the site. */
  siteFeature?: SiteFeatureName
}

interface NavGroup {
  title?: 'nav.groups.consultations' | 'nav.groups.website' | 'nav.groups.people' | 'nav.groups.administration'
  entries: readonly NavEntry[]
}

const NAV_GROUPS: readonly NavGroup[] = [
  {
    entries: [{ to: '/admin', icon: 'dashboard', label: 'nav.dashboard' }],
  },
  {
    title: 'nav.groups.consultations',
    entries: [
      { to: '/admin/projects', icon: 'projects', label: 'nav.projects', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/surveys', icon: 'surveys', label: 'nav.surveys', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/contributions', icon: 'check', label: 'nav.contributions', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/moderation', icon: 'preview', label: 'nav.moderation', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/calendar', icon: 'calendar', label: 'nav.calendar', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/reports', icon: 'reach', label: 'nav.reports', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/city-data', icon: 'city-data', label: 'nav.city-data', roles: ['site_admin'] },
    ],
  },
  {
    title: 'nav.groups.website',
    entries: [
      { to: '/admin/homepage', icon: 'homepage', label: 'nav.homepage', roles: ['site_admin', 'hub_admin'] },
      { to: '/admin/pages', icon: 'edit', label: 'nav.pages', roles: ['site_admin'] },
      { to: '/admin/hubs', icon: 'hubs', label: 'nav.hubs', roles: ['site_admin', 'hub_admin'] },
      { to: '/admin/media', icon: 'image', label: 'nav.media', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/languages', icon: 'languages', label: 'nav.languages', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      { to: '/admin/appearance', icon: 'appearance', label: 'nav.appearance', roles: ['site_admin'] },
      { to: '/admin/embeds', icon: 'link', label: 'nav.embeds', roles: ['site_admin'], siteFeature: 'whitelist-embed' },
    ],
  },
  {
    title: 'nav.groups.people',
    entries: [
      { to: '/admin/people', icon: 'people', label: 'nav.people', roles: ['site_admin', 'hub_admin'] },
      { to: '/admin/newsletters', icon: 'messages', label: 'nav.newsletters', roles: ['site_admin', 'hub_admin', 'project_admin'] },
      {
        to: '/admin/campaigns',
        icon: 'responses',
        label: 'nav.texts',
        roles: ['site_admin', 'hub_admin', 'project_admin'],
        feature: 'marketplace_sms_integration',
      },
      { to: '/admin/outbox', icon: 'messages', label: 'nav.outbox', roles: ['site_admin'] },
    ],
  },
  {
    title: 'nav.groups.administration',
    entries: [
      { to: '/admin/settings', icon: 'settings', label: 'nav.settings', roles: ['site_admin'] },
      { to: '/admin/marketplace', icon: 'marketplace', label: 'nav.marketplace', roles: ['site_admin', 'platform_admin'] },
      { to: '/admin/sign-in', icon: 'people', label: 'nav.sign-in', roles: ['site_admin'] },
      { to: '/admin/api-tokens', icon: 'settings', label: 'nav.api-tokens', roles: ['site_admin'] },
      { to: '/admin/support', icon: 'link', label: 'nav.support', roles: ['site_admin'] },
      { to: '/admin/sites', icon: 'city-data', label: 'nav.sites', roles: ['platform_admin'] },
      { to: '/admin/features', icon: 'settings', label: 'nav.features', roles: ['platform_admin'] },
      { to: '/admin/health', icon: 'refresh', label: 'nav.health', roles: ['platform_admin'] },
      { to: '/admin/audit', icon: 'audit', label: 'nav.audit' },
      { to: '/admin/privacy', icon: 'check', label: 'nav.privacy', roles: ['site_admin', 'hub_admin', 'platform_admin'] },
    ],
  },
]

/** Pages reached by a two-key shortcut: `g`, then this letter. */
const SHORTCUT_KEYS: Partial<Record<NavEntry['to'], string>> = {
  '/admin': 'd',
  '/admin/projects': 'p',
  '/admin/surveys': 's',
  '/admin/moderation': 'm',
  '/admin/hubs': 'h',
  '/admin/people': 'u',
}
/** What users of each page can search for by name. */
const FINDABLE_ROUTES: readonly [FindableKind, NavEntry['to']][] = [
  ['projects', '/admin/projects'],
  ['surveys', '/admin/surveys'],
  ['hubs', '/admin/hubs'],
  ['people', '/admin/people'],
]

/** Pages of a list, and what one list shows after another, are linked by these relations. */
const pressLink = (relation: 'next' | 'prev') => document.querySelector<HTMLElement>(`#main a[rel="${relation}"]`)?.click()

/** Layout of every admin page. The navigation shows only what the viewer's role can use. */
export function AdminFrame({ bell, children }: { bell: (navigate: (href: string) => void) => ReactNode; children: ReactNode }) {
  const { t, i18n } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { describeError } = useFaultTexts()
  const site = useSite()
  const viewer = useViewer()
  const pathname = useLocation({ select: (location) => location.pathname })
  const router = useRouter()
  const roleName = viewer?.roleName ?? 'participant'
  const state = usePageState()
  const { features } = state.features
  const given = state.siteFeatures.siteFeatures.features
  const isShown = ({ roles, feature, siteFeature }: NavEntry) =>
    (!roles || roles.some((role) => role === roleName)) &&
    (!feature || features[feature].enabled) &&
    (!siteFeature || given.includes(siteFeature))
  const groups = NAV_GROUPS.map(({ title, entries }) => ({ title, entries: entries.filter(isShown) })).filter(
    ({ entries }) => entries.length > 0,
  )
  const shown = groups.flatMap(({ entries }) => entries)
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  const navigateTo = (href: string) => router.history.push(href)
  const shortcuts: Shortcut[] = [
    { keys: ['?'], label: t('shortcuts.title'), onPress: () => setOpen('shortcuts') },
    { keys: ['/'], label: t('shortcuts.search'), onPress: () => document.querySelector<HTMLElement>('#main [type="search"]')?.focus() },
    { keys: ['j'], label: t('shortcuts.next'), onPress: () => pressLink('next') },
    { keys: ['k'], label: t('shortcuts.previous'), onPress: () => pressLink('prev') },
    ...shown.flatMap(({ to, label }) => {
      const letter = SHORTCUT_KEYS[to]
      return letter ? [{ keys: ['g', letter], label: t(label), onPress: () => navigateTo(to) }] : []
    }),
  ]
  const singleKeys = useShortcuts(shortcuts, () => setOpen('palette'))
  const paletteKeys = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'
  return (
    <AdminShell
      language={i18n.language}
      navigate={navigateTo}
      brand={
        <Link to="/admin" className="admin-brand">
          {site.name}
        </Link>
      }
      navLabel={t('nav.label')}
      groups={groups.map(({ title, entries }) => ({
        ...(title && { title: t(title) }),
        links: entries.map(({ to, icon, label }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/admin' }}>
            <AdminIcon name={icon} />
            {t(label)}
          </Link>
        )),
      }))}
      foot={
        <>
          <Link to="/admin/help/$screen" params={{ screen: findHelpScreen(pathname) }}>
            <AdminIcon name="edit" />
            {t('nav.help')}
          </Link>
          <a href="/">
            <AdminIcon name="preview" />
            {t('nav.site')}
          </a>
        </>
      }
      menuLabel={t('nav.open')}
      closeLabel={t('nav.close')}
      where={viewer && <RolesMenu viewer={viewer} />}
      command={
        <>
          <CommandHint label={t('palette.hint')} keys={paletteKeys} onOpen={() => setOpen('palette')} />
          {bell(navigateTo)}
        </>
      }
      languages={
        <AdminLanguages
          label={common('language')}
          languages={site.languages}
          current={i18n.language}
          pathname={pathname}
          userId={viewer?.id}
        />
      }
      account={
        <form method="post" action="/sign-out" className="admin-account">
          <a href="/account">{viewer?.login}</a>
          <Button type="submit" kind="plain" size="small">
            {t('nav.sign-out')}
          </Button>
        </form>
      }
    >
      {children}
      <Suspense fallback={null}>
        {open === 'palette' && (
          <CommandPalette
            commands={[
              ...shown.map(({ to, icon, label }) => ({ id: to, label: t(label), icon, href: to })),
              { id: 'shortcuts', label: t('shortcuts.title'), icon: 'settings', onAction: () => setOpen('shortcuts') },
            ]}
            findable={FINDABLE_ROUTES.flatMap(([kind, page]) => (shown.some(({ to }) => to === page) ? [kind] : []))}
            navigate={navigateTo}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open === 'shortcuts' && (
          <Shortcuts
            shortcuts={shortcuts}
            paletteKeys={paletteKeys}
            on={singleKeys.on}
            onSwitch={singleKeys.setOn}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
      <Toasts label={t('toasts.label')} dismissLabel={t('toasts.dismiss')} describeError={describeError} />
    </AdminShell>
  )
}
