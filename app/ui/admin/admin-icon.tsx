/** Icons of the admin screens, on the same grid as the participants'. */
const DRAWINGS = {
  appearance:
    'M12 3.5a8.5 8.5 0 1 0 0 17c1.4 0 1.8-.9 1.5-1.9-.5-1.5.4-2.6 1.9-2.6h2.1c1.9 0 3-1.3 3-3 0-5.2-3.8-9.5-8.5-9.5ZM7.6 12.2v.1M9.5 8v.1m5-.1v.1',
  archive: 'M4 5h16v4H4zM5.5 9v10.5h13V9M10 13h4',
  audit: 'M12 7.5V12l3 2M4.3 9A8.2 8.2 0 1 1 4 13.5M4 5v4h4',
  bullets: 'M9.5 6h11M9.5 12h11M9.5 18h11M4.5 6v.1m0 5.9v.1m0 5.9v.1',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5m8-5v5',
  check: 'm4.5 12.5 5 5 10-11',
  'city-data':
    'M12 4c4.4 0 7.5 1.2 7.5 2.8S16.4 9.6 12 9.6 4.5 8.4 4.5 6.8 7.6 4 12 4Zm7.5 2.8v10.4c0 1.6-3.1 2.8-7.5 2.8s-7.5-1.2-7.5-2.8V6.8m15 5.2c0 1.6-3.1 2.8-7.5 2.8S4.5 13.6 4.5 12',
  copy: 'M9 9h11v11H9zM15 9V4.5H4.5V15H9',
  dashboard: 'M4 4h7v9H4zm9 0h7v5h-7zM4 15h7v5H4zm9-4h7v9h-7z',
  drag: 'M9 5.5v.1m0 6.4v.1m0 6.4v.1m6-13.1v.1m0 6.4v.1m0 6.4v.1',
  edit: 'M5 19l.8-4L16.5 4.3l3.2 3.2L9 18.2zM14 6.8 17.2 10',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  homepage: 'M4 11.5 12 4.5l8 7M6 10v9.5h12V10M10 19.5V14h4v5.5',
  hubs: 'M4 20h16M6 20V9.5l6-5 6 5V20M10 20v-4.5h4V20M10 11.5v.1m4-.1v.1',
  image: 'M4 5h16v14H4zm0 11 5-5 4 4 3-3 4 4M15 9v.1',
  languages:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.6 2.6 3.4 5.3 3.4 8.5s-.8 5.9-3.4 8.5c-2.6-2.6-3.4-5.3-3.4-8.5s.8-5.9 3.4-8.5Z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  marketplace: 'M4.5 9.5 6 4.5h12l1.5 5M4.5 9.5a2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0M6 12v8h12v-8',
  messages: 'M4 5h16v11H10l-4 4v-4H4zM8 9.5h8m-8 3h5',
  more: 'M6 12h.1m5.9 0h.1m5.9 0h.1',
  'move-down': 'M12 5v14m-5-5 5 5 5-5',
  'move-up': 'M12 19V5m-5 5 5-5 5 5',
  numbers: 'M10.5 6h10M10.5 12h10M10.5 18h10M3.5 4.5 5 3.8V9M3.5 15.5c.3-1.3 2.8-1.2 2.6.3-.1.9-2 2-2.6 3.2h2.8',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.8 19.5c.5-3.3 2.9-5 6.2-5s5.7 1.7 6.2 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4m2 3.7c2.1.7 3.4 2.2 3.7 4.6',
  preview: 'M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  projects: 'M4 6.5h5.5l2 2.5H20v10H4z',
  reach: 'M4 20h16M6.5 16.5v-4M12 16.5v-11m5.5 11V9',
  redo: 'm16 5 4 4-4 4m4-4h-9.5a5.5 5.5 0 0 0 0 11H16',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15',
  responses: 'M4.5 4.5h12A3.5 3.5 0 0 1 20 8v5a3.5 3.5 0 0 1-3.5 3.5H9L4.5 20zM9 10.5l2 2 4-4',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4ZM9 14.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4Z',
  'sign-out': 'M14 4.5H5v15h9M10 12h10m-4-4 4 4-4 4',
  'sort-down': 'm8 10 4 4 4-4',
  'sort-up': 'm8 14 4-4 4 4',
  surveys: 'M6 4.5h12v16H6zM9 4.5V3h6v1.5M9 10l1 1 2-2m2 1.5h1.5M9 15.5l1 1 2-2m2 1.5h1.5',
  table: 'M4 5h16v14H4zm0 5h16M4 14.5h16M12 5v14',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 13h8.4L17 7M10.5 11v5.5m3-5.5v5.5',
  undo: 'M8 5 4 9l4 4M4 9h9.5a5.5 5.5 0 0 1 0 11H8',
  upload: 'M12 15V4m-5 4.5 5-5 5 5M5 20h14',
  video: 'M4 5.5h16v13H4zm6 3.5v6l5-3z',
} as const

export type AdminIconName = keyof typeof DRAWINGS

/** An icon beside text. A control that shows only the icon needs a label of its own. */
export function AdminIcon({ name }: { name: AdminIconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
