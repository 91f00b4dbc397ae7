import type { CSSProperties, ReactNode } from 'react'

const TINTS = [14, 22, 30, 38] as const

/** First letters of the first and last word of a name. */
export function toInitials(name: string): string {
  const words = name.trim().split(/\s+/u)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

function chooseTint(name: string): number {
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return TINTS[sum % TINTS.length] ?? TINTS[0]
}

/** A portrait, or initials if there is none. Hidden from screen readers, because the name is beside it. */
export function Avatar({ name, src, size = 44 }: { name: string; src?: string | undefined; size?: number }) {
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--avatar': `${size / 16}rem`,
    '--avatar-tint': `${chooseTint(name)}%`,
  }
  return (
    <span className="avatar" style={style} data-initials={src ? undefined : toInitials(name)} aria-hidden="true">
      {src && <img src={src} alt="" width={size} height={size} loading="lazy" />}
    </span>
  )
}

/** Somebody with a name and a role: a member of a project's team. */
export function Person({ name, part, src, children }: { name: string; part?: ReactNode; src?: string | undefined; children?: ReactNode }) {
  return (
    <div className="person">
      <Avatar name={name} src={src} />
      <span className="person-name">{name}</span>
      <span className="person-role">
        {part}
        {children}
      </span>
    </div>
  )
}
