import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** What stands in a link with the class `brand`: the site's mark, its name, and what it is for. */
export function Brand({ name, strapline, mark }: { name: ReactNode; strapline?: ReactNode; mark?: ReactNode }) {
  return (
    <>
      <span className="brand-mark" aria-hidden="true">
        {mark ?? <BubbleMark />}
      </span>
      <span>
        {name}
        {strapline && <span className="brand-strapline">{strapline}</span>}
      </span>
    </>
  )
}

function BubbleMark() {
  return (
    <svg viewBox="0 0 40 40">
      <path d="M9 24.5c6-8 10 3 15.5-3.5S29 14 31.5 14" fill="none" stroke="currentColor" strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  )
}

interface SiteNavProps {
  label: string
  /** Links; the one for the page in view carries `aria-current` (a router link sets it itself). */
  links: readonly ReactNode[]
}

function SiteNav({ label, links }: SiteNavProps) {
  return (
    <nav className="site-nav" aria-label={label}>
      <ul>
        {links.map((link, index) => (
          <li key={index}>{link}</li>
        ))}
      </ul>
    </nav>
  )
}

interface LanguageLinksProps {
  label: string
  /** In the order offered. Each name in its own language; `href` leads to this page in it. */
  languages: readonly { code: string; name: string; href: string; current: boolean }[]
}

/** The same page in the site's other languages: plain links, so that the server sets the language whole. */
export function LanguageLinks({ label, languages }: LanguageLinksProps) {
  return (
    <nav className="languages" aria-label={label}>
      <ul>
        {languages.map(({ code, name, href, current }) => (
          <li key={code}>
            {current ? (
              <span lang={code} aria-current="true">
                {name}
              </span>
            ) : (
              <a href={href} lang={code} hrefLang={code}>
                {name}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface SiteHeaderProps {
  /** A link with the class `brand` around a `Brand`. */
  brand: ReactNode
  navLabel: string
  nav: readonly ReactNode[]
  /** `LanguageLinks`, where the site speaks more than one. */
  languages?: ReactNode
  /** Sign in, or the account: links with `getButtonClass({ kind: 'secondary', size: 'small' })`. */
  account?: ReactNode
  menuLabel: string
  /** On paper, or on the site's own colour. */
  look?: 'paper' | 'deep'
}

/**
 * On narrow screens navigation and account fold into a `details` that opens without any script. Both places hold the same
 * links; the one not in use is `display: none`, and so is not read out.
 */
export function SiteHeader({ brand, navLabel, nav, languages, account, menuLabel, look = 'paper' }: SiteHeaderProps) {
  return (
    <header className="site-header" data-look={look === 'deep' ? look : undefined}>
      <div className="wrap site-header-row">
        {brand}
        <SiteNav label={navLabel} links={nav} />
        {languages}
        {account && <div className="site-account">{account}</div>}
        <details className="site-menu" name="site-menu">
          <summary>
            <span className="site-menu-closed">
              <Icon name="menu" />
            </span>
            <span className="site-menu-open">
              <Icon name="close" />
            </span>
            {menuLabel}
          </summary>
          <div className="site-menu-panel">
            <SiteNav label={navLabel} links={nav} />
            {account && <div className="row">{account}</div>}
          </div>
        </details>
      </div>
    </header>
  )
}
