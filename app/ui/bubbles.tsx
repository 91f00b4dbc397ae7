/** The motif as a ground: a conversation of speech bubbles, in the colour of the text that stands on it. */
export function Bubbles() {
  return (
    <svg className="bubbles" viewBox="0 0 1200 480" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
      <g fill="currentColor">
        <path opacity=".05" d="M760-60h300a90 90 0 0 1 90 90v150a90 90 0 0 1-90 90H676V30a90 90 0 0 1 84-90Z" />
        <path opacity=".06" d="M980 210h210a70 70 0 0 1 70 70v110a70 70 0 0 1-70 70H910V280a70 70 0 0 1 70-70Z" />
        <path opacity=".07" d="M700 330h120a50 50 0 0 1 50 50v60a50 50 0 0 1-50 50H650V380a50 50 0 0 1 50-50Z" />
        <path opacity=".05" d="M540 90h60a36 36 0 0 1 36 36v36a36 36 0 0 1-36 36h-96v-72a36 36 0 0 1 36-36Z" />
      </g>
    </svg>
  )
}
