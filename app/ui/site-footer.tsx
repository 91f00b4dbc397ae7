import type { ReactNode } from 'react'
import { Bubbles } from './bubbles.tsx'

interface SiteFooterProps {
  /** A link with the class `brand` around a `Brand`. */
  brand: ReactNode
  /** Who runs the site, in a sentence with an address. */
  about?: ReactNode
  groups?: readonly { title: string; links: readonly ReactNode[] }[]
  /** Links at the bottom, such as legal pages. */
  legal?: readonly ReactNode[]
  languages?: ReactNode
  /** The last line: whose platform this is. */
  note?: ReactNode
}

export function SiteFooter({ brand, about, groups = [], legal = [], languages, note }: SiteFooterProps) {
  return (
    <footer className="site-footer">
      <Bubbles />
      <div className="wrap">
        <div className="site-footer-top">
          <div className="site-footer-about">
            {brand}
            {about && <p>{about}</p>}
            {languages}
          </div>
          {groups.length > 0 && (
            <div className="site-footer-groups">
              {groups.map(({ title, links }) => (
                <div key={title}>
                  <h2>{title}</h2>
                  <ul>
                    {links.map((link, index) => (
                      <li key={index}>{link}</li>
                    ))}
                  </ul>
                </div>
              ))}
            </div>
          )}
        </div>
        {(legal.length > 0 || note) && (
          <div className="site-footer-base">
            {legal.length > 0 && (
              <ul>
                {legal.map((link, index) => (
                  <li key={index}>{link}</li>
                ))}
              </ul>
            )}
            {note && <p>{note}</p>}
          </div>
        )}
      </div>
    </footer>
  )
}
