import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toPathInLanguage } from '#app/shell/language.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ErrorPageLinks } from '#app/shell/error-page-links.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useReturnedForm } from '#app/shell/returned-form.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { SiteFooter } from '#app/ui/site-footer.tsx'
import { Brand, LanguageLinks, SiteHeader } from '#app/ui/site-header.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { buildPageUrl } from './seo.ts'
import type { SiteFrame } from './sites.schema.ts'
import { ErrorPageNavigation } from './ErrorPageNavigation.tsx'

/** Header and footer around a participant page. */
export function SiteChrome({ frame, children }: { frame: SiteFrame; children: ReactNode }) {
  return (
    <>
      <Header frame={frame} />
      <main id="main" tabIndex={-1}>
        <PrintHead frame={frame} />
        <ErrorPageLinks value={<ErrorPageNavigation />}>{children}</ErrorPageLinks>
      </main>
      <Footer frame={frame} />
    </>
  )
}

/** On paper, in place of the header: whose page this is, and its address. */
function PrintHead({ frame }: { frame: SiteFrame }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const address = buildPageUrl(frame, path, frame.language).replace(/^https?:\/\//, '')
  return (
    <p className="print-head">
      <strong>{frame.name}</strong>
      {frame.contactEmail && <span>{frame.contactEmail}</span>}
      <span className="print-address">{address}</span>
    </p>
  )
}

function Header({ frame }: { frame: SiteFrame }) {
  const { t } = useTranslation('participant')
  return (
    <SiteHeader
      brand={<HomeLink frame={frame} />}
      navLabel={t('site.nav')}
      nav={[...useMainLinks(frame)]}
      look={frame.look.header}
      languages={<Languages frame={frame} />}
      account={<AccountLinks />}
      menuLabel={t('site.menu')}
    />
  )
}

function HomeLink({ frame }: { frame: SiteFrame }) {
  const { t } = useTranslation('participant')
  return (
    <Link to="/" className="brand">
      <Brand name={frame.name} strapline={t('site.strapline')} mark={frame.look.mark && <img src={frame.look.mark} alt="" />} />
    </Link>
  )
}

function useMainLinks({ look }: SiteFrame): ReactNode[] {
  const { t } = useTranslation('participant')
  const inResults = useLocation({
    select: ({ pathname, search }) => pathname === '/projects' && 'status' in search && search.status === 'results',
  })
  if (look.navigation.length > 0) {
    return look.navigation.map(({ id, label, href }) => (
      <a key={id} href={href.startsWith('/') ? toLocalHref(href) : href} lang={label.lang} dir={getDirection(label.lang)}>
        {label.text}
      </a>
    ))
  }
  return [
    <Link
      key="projects"
      to="/projects"
      search={{ status: undefined }}
      activeOptions={inResults ? { explicitUndefined: true } : { includeSearch: false }}
    >
      {t('site.projects')}
    </Link>,
    <Link key="hubs" to="/hubs">
      {t('site.hubs')}
    </Link>,
    <Link key="results" to="/projects" search={{ status: 'results' }}>
      {t('site.results')}
    </Link>,
    <Link key="search" to="/search" search={{}} activeOptions={{ includeSearch: false }}>
      <span className="row row-tight">
        <Icon name="search" />
        {t('site.search')}
      </span>
    </Link>,
  ]
}

/**
 * Plain links to the current page: only the server sets the language for the whole page. Without a script, a form that was returned goes along
 * with everything that is typed in it; with one, it is kept on the device.
 */
function Languages({ frame }: { frame: SiteFrame }) {
  const { t } = useTranslation('participant')
  const isReady = useHydrated()
  const returned = useReturnedForm()
  const { pathname, searchStr } = useLocation()
  const { languageNames } = useSite()
  const offered = frame.languages
  if (offered.length < 2) return null
  return (
    <LanguageLinks
      label={t('site.languages')}
      form={isReady ? undefined : returned}
      languages={offered.map((code) => ({
        code,
        name: languageNames[code] ?? code,
        href: `${toPathInLanguage(pathname, code)}${searchStr}`,
        current: code === frame.language,
      }))}
    />
  )
}

function AccountLinks() {
  const { t } = useTranslation('participant')
  const viewer = useViewer()
  const look = getButtonClass({ kind: 'secondary', size: 'small' })
  if (!viewer) {
    return (
      <a href={toLocalHref('/sign-in')} className={look}>
        {t('site.sign-in')}
      </a>
    )
  }
  return (
    <>
      {viewer.type === 'administrator' && (
        <a href="/admin" className={getButtonClass({ kind: 'plain', size: 'small' })}>
          {t('site.admin')}
        </a>
      )}
      <a href={toLocalHref('/account')} className={look}>
        <Icon name="person" />
        <span className="visually-hidden">{t('site.account')}: </span>
        <span className="account-name">{viewer.login}</span>
      </a>
    </>
  )
}

function Footer({ frame }: { frame: SiteFrame }) {
  const { t } = useTranslation(['participant', 'common'])
  const pageLink = (page: SiteFrame['pages'][number]) => (
    <Link key={page.slug} to="/pages/$slug" params={{ slug: page.slug }} lang={page.title.lang} dir={getDirection(page.title.lang)}>
      {page.title.text}
    </Link>
  )
  const takePart = [
    <Link key="open" to="/projects" search={{ status: 'open' }} activeOptions={{ exact: true }}>
      {t('site.open-projects')}
    </Link>,
    <Link key="results" to="/projects" search={{ status: 'results' }}>
      {t('site.results')}
    </Link>,
    <Link key="hubs" to="/hubs">
      {t('site.hubs')}
    </Link>,
    <Link key="receipt" to="/receipt">
      {t('site.receipt')}
    </Link>,
    ...(frame.data
      ? [
          <Link key="data" to="/data">
            {t('site.data')}
          </Link>,
        ]
      : []),
    <a key="feed" href={toLocalHref('/feed.atom')}>
      {t('site.feed')}
    </a>,
  ]
  const about = [
    ...frame.pages.filter((page) => !page.legal).map(pageLink),
    ...(frame.contactEmail
      ? [
          <a key="contact" href={`mailto:${frame.contactEmail}`}>
            {t('site.contact')}
          </a>,
        ]
      : []),
  ]
  return (
    <SiteFooter
      brand={<HomeLink frame={frame} />}
      about={
        frame.look.footer.text && (
          <span lang={frame.look.footer.lang} dir={getDirection(frame.look.footer.lang)}>
            {frame.look.footer.text}
          </span>
        )
      }
      groups={[{ title: t('site.take-part'), links: takePart }, ...(about.length ? [{ title: t('site.about'), links: about }] : [])]}
      legal={[
        ...frame.pages.filter((page) => page.legal).map(pageLink),
        <Link key="cookies" to="/cookies">
          {t('common:cookies.settings')}
        </Link>,
      ]}
      note={t('site.note')}
    />
  )
}
