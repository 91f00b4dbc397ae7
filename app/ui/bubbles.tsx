/** A background of speech bubbles. `spoken` gives one of them the site's accent colour. */
export function Bubbles({ spoken = false }: { spoken?: boolean }) {
  return (
    <svg className="bubbles" viewBox="0 0 1200 480" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
      <g fill="currentColor">
        <path opacity=".06" d="M748 40h252a64 64 0 0 1 64 64v104a64 64 0 0 1-64 64H684V104a64 64 0 0 1 64-64Z" />
        <path opacity=".05" d="M1092-70h150a60 60 0 0 1 60 60v92a60 60 0 0 1-60 60h-210V-10a60 60 0 0 1 60-60Z" />
        <path opacity=".07" d="M946 226h262a58 58 0 0 1 58 58v96a58 58 0 0 1-58 58H888v-154a58 58 0 0 1 58-58Z" />
        <path opacity=".05" d="M700 402h120a44 44 0 0 1 44 44v60a44 44 0 0 1-44 44H656V446a44 44 0 0 1 44-44Z" />
      </g>
      <g className="bubbles-words" fill="none" stroke="currentColor" strokeWidth="11" strokeLinecap="round" opacity=".1">
        <path d="M740 120h236M740 164h180M944 308h212M944 354h126" />
      </g>
      {spoken && (
        <g className="bubbles-words">
          <path fill="var(--site-accent)" d="M814 212h88a30 30 0 0 1 30 30v28a30 30 0 0 1-30 30H784v-58a30 30 0 0 1 30-30Z" />
          <path d="M826 256h.1m31.9 0h.1m31.9 0h.1" fill="none" stroke="#fff" strokeWidth="12" strokeLinecap="round" />
        </g>
      )}
    </svg>
  )
}
