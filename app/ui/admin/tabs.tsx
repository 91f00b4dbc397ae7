import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'

interface TabsProps {
  label: string
  tabs: readonly { id: string; title: ReactNode; content: ReactNode }[]
  selected?: string
  onSelect?: (id: string) => void
}

/** Tabs that switch in place. Arrow keys move between them. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs className="tabs" selectedKey={selected} onSelectionChange={(key) => onSelect?.(String(key))}>
      <TabList className="tab-list" aria-label={label} ref={showCurrentTab}>
        {tabs.map(({ id, title }) => (
          <Tab className="tab" id={id} key={id}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel className="tab-panel" id={id} key={id}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

/** On a narrow screen the row scrolls, and the current tab may be beyond its end. */
function showCurrentTab(list: HTMLElement | null): void {
  // Tabs that switch in place are in their list only after it was first rendered.
  requestAnimationFrame(() => {
    const current = list?.querySelector<HTMLElement>('[aria-current], [aria-selected="true"]')
    if (!list || !current) return
    const [row, tab] = [list.getBoundingClientRect(), current.getBoundingClientRect()]
    if (tab.left < row.left || tab.right > row.right) list.scrollLeft += tab.left - row.left - (row.width - tab.width) / 2
  })
}

/** Tabs with their own addresses: links that look like tabs. */
export function TabLinks({ label, links }: { label: string; links: readonly ReactNode[] }) {
  return (
    <nav className="tab-links" aria-label={label}>
      <ul className="tab-list" ref={showCurrentTab}>
        {links.map((link, index) => (
          <li key={index}>{link}</li>
        ))}
      </ul>
    </nav>
  )
}
