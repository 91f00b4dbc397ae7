import { useId, useState, type MouseEvent, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { RouterProvider } from 'react-aria-components'
import { Icon } from '../icon.tsx'

interface NavigationGroupProps {
  title?: string
  links: readonly ReactNode[]
}

interface AdminShellProps {
  /** The page's language, for dates and for sorting and searching by keyboard. */
  language: string
  /** Routes a menu's links through the router. */
  navigate: (href: string) => void
  /** A link with the class `admin-brand`: the current site. */
  brand: ReactNode
  navLabel: string
  /** Links, each with an `AdminIcon` and text; `aria-current` marks the current page. The first group needs no title. */
  groups: readonly NavigationGroupProps[]
  /** At the bottom of the navigation: view the site as participants do. */
  foot?: ReactNode
  menuLabel: string
  closeLabel: string
  /** In the bar: `Breadcrumbs`, or the name of the site. */
  where?: ReactNode
  /** In the bar: a `CommandHint`. */
  command?: ReactNode
  languages?: ReactNode
  account?: ReactNode
  children: ReactNode
}

/** The frame of every admin page: navigation at the side, bar on top, content. */
export function AdminShell({
  language,
  navigate,
  brand,
  navLabel,
  groups,
  foot,
  menuLabel,
  closeLabel,
  where,
  command,
  languages,
  account,
  children,
}: AdminShellProps) {
  const [open, setOpen] = useState(false)
  const navigation = (
    <>
      {groups.map((group, index) => (
        <NavigationGroup key={index} {...group} />
      ))}
      {foot && <div className="admin-nav-foot">{foot}</div>}
    </>
  )
  const closeAfterLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) setOpen(false)
  }
  return (
    <I18nProvider locale={language}>
      <RouterProvider navigate={navigate}>
        <div className="admin">
          <nav className="admin-side" aria-label={navLabel}>
            {brand}
            {navigation}
          </nav>
          <header className="admin-bar">
            <button type="button" className="admin-menu-button" aria-haspopup="dialog" aria-label={menuLabel} onClick={() => setOpen(true)}>
              <Icon name="menu" />
            </button>
            <div className="admin-where">{where}</div>
            {command}
            {languages}
            {account}
          </header>
          <main className="admin-main" id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
        <ModalOverlay className="overlay" isDismissable isOpen={open} onOpenChange={setOpen}>
          <Modal className="admin-drawer">
            <Dialog aria-label={navLabel}>
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the links are the controls; this only reacts to their clicks */}
              <nav className="admin-side" aria-label={navLabel} onClick={closeAfterLink}>
                <div className="admin-drawer-head">
                  {brand}
                  <button type="button" className="icon-button" aria-label={closeLabel} onClick={() => setOpen(false)}>
                    <Icon name="close" />
                  </button>
                </div>
                {navigation}
              </nav>
            </Dialog>
          </Modal>
        </ModalOverlay>
      </RouterProvider>
    </I18nProvider>
  )
}

/** Links under the name that they share. A heading here would come before that of the page. */
function NavigationGroup({ title, links }: NavigationGroupProps) {
  const id = useId()
  return (
    <div className="admin-nav-group">
      {title && <p id={id}>{title}</p>}
      <ul aria-labelledby={title ? id : undefined}>
        {links.map((link, position) => (
          <li key={position}>{link}</li>
        ))}
      </ul>
    </div>
  )
}

/** Opens the command palette and shows its keyboard shortcut. */
export function CommandHint({ label, keys, onOpen }: { label: string; keys: string; onOpen: () => void }) {
  return (
    <button type="button" className="command-hint" onClick={onOpen}>
      <Icon name="search" />
      <span>{label}</span>
      <kbd>{keys}</kbd>
    </button>
  )
}
