/** Parley's own icons, on a grid of 24 with a round stroke. */
const DRAWINGS = {
  'arrow-left': 'M19 12H5m6-6-6 6 6 6',
  'arrow-right': 'M5 12h14m-6-6 6 6-6 6',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15L6 16Zm4 5h4',
  calendar: 'M4 6.5h16V20H4zM4 11h16M8.5 4v4m7-4v4',
  chart: 'M4 20h16M7 20v-7m5 7V5m5 15v-10',
  check: 'm4.5 12.5 5 5 10-11',
  'chevron-down': 'm6 9.5 6 6 6-6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 4V12l3.2 2.2',
  close: 'M6 6l12 12M18 6 6 18',
  document: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6m-6 4h6',
  download: 'M12 4v11m-5-4.5 5 5 5-5M5 20h14',
  error: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5v5.2m0 3.3v.2',
  external: 'M14 4.5h5.5V10m0-5.5L11 13m-1-7.5H5V19h13.5v-5',
  eye: 'M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  'eye-off':
    'M9.9 6.1A9 9 0 0 1 12 5.8c6 0 9.2 6.2 9.2 6.2a16 16 0 0 1-2.5 3.3M6.2 7.6A15.6 15.6 0 0 0 2.8 12S6 18.2 12 18.2a9 9 0 0 0 4-.9M10 10a2.8 2.8 0 0 0 4 4M4 4l16 16',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.4 2.3 3.6 5.2 3.6 8.5s-1.2 6.2-3.6 8.5c-2.4-2.3-3.6-5.2-3.6-8.5S9.6 5.8 12 3.5Z',
  heart: 'M12 19.5S4 14.7 4 9.2A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.2c0 5.5-8 10.3-8 10.3Z',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5.2m0-8.4v.2',
  lock: 'M6 10.5h12V20H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  mail: 'M3.5 6h17v12.5h-17zM4 7l8 6 8-6',
  menu: 'M4 7h16M4 12h16M4 17h10',
  minus: 'M5 12h14',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.8 19.5c.5-3.3 2.9-5 6.2-5s5.7 1.7 6.2 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4m2 3.7c2.1.7 3.4 2.2 3.7 4.6',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.7-4 3.5-6 7.5-6s6.8 2 7.5 6',
  phone: 'M7.5 3.5h9v17h-9zM11 17.5h2',
  pin: 'M12 21s6.5-6.2 6.5-11.2a6.5 6.5 0 0 0-13 0C5.5 14.8 12 21 12 21Zm0-13.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm4.8 11.3L20.5 20.5',
  share: 'M12 15V4m-4 3.5L12 3.5l4 4M5 12v8.5h14V12',
  speech: 'M4.5 4.5h12a3.5 3.5 0 0 1 3.5 3.5v5a3.5 3.5 0 0 1-3.5 3.5H9L4.5 20z',
  star: 'm12 4 2.5 5.2 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z',
  success: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm-3.8 8.7 2.7 2.7 5-5.5',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5m0 2.5v.2',
} as const

export type IconName = keyof typeof DRAWINGS

/** An icon beside text. It is hidden from screen readers: its meaning must always be written too. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
