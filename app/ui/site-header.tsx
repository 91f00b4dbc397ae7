import type { KeyboardEvent, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { getDirection } from '#app/lib/added-languages.ts'

/** Content of a link with the class `brand`: the site's logo, name and tagline. */
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
  /** Links; the current page's has `aria-current`, which a router link sets itself. */
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
  /** In display order. Each name is in its own language; `href` is this page in that language. */
  languages: readonly { code: string; name: string; href: string; current: boolean }[]
  /** Id of a form that goes along: it is sent to the address of the language, with a field `keep`. */
  form?: string | undefined
}

/** The same page in the site's other languages: plain links, so that the server renders the whole page again. */
export function LanguageLinks({ label, languages, form }: LanguageLinksProps) {
  return (
    <nav className="languages" aria-label={label}>
      {/* The Enter key in the form sends it: it presses the form's first button on the page. */}
      {form && <button type="submit" form={form} className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <ul>
        {languages.map(({ code, name, href, current }) => (
          <li key={code}>
            {current ? (
              <span lang={code} dir={getDirection(code)} aria-current="true">
                {name}
              </span>
            ) : form ? (
              <button
                type="submit"
                form={form}
                name="keep"
                value="language"
                formAction={href}
                formNoValidate
                lang={code}
                dir={getDirection(code)}
              >
                {name}
              </button>
            ) : (
              <a href={href} lang={code} dir={getDirection(code)} hrefLang={code}>
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
  /** `LanguageLinks`, if the site has more than one language. */
  languages?: ReactNode
  /** Sign in, or the account: links with `getButtonClass({ kind: 'secondary', size: 'small' })`. */
  account?: ReactNode
  menuLabel: string
  /** On the paper colour, or on the site's own colour. */
  look?: 'paper' | 'deep'
}

/**
 * On narrow screens, navigation and account collapse into a `details` element that works without scripts. Both places hold the same links;
 * the unused one is `display: none` and so hidden from screen readers.
 */
export function SiteHeader({ brand, navLabel, nav, languages, account, menuLabel, look = 'paper' }: SiteHeaderProps) {
  return (
    <header className="site-header" data-look={look === 'deep' ? look : undefined}>
      <div className="wrap site-header-row">
        {brand}
        <SiteNav label={navLabel} links={nav} />
        {languages}
        {account && <div className="site-account">{account}</div>}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key comes from the button and links inside */}
        <details className="site-menu" name="site-menu" onKeyDown={closeOnEscape}>
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

function closeOnEscape({ key, currentTarget: menu }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape') return
  menu.open = false
  menu.querySelector('summary')?.focus()
}
