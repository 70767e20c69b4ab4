// A picture, if the content security policy allows it: from this host or in the record itself; others become an icon.
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './Picture.module.css'

/** Whether the console's content security policy lets the browser show it. */
export function isShowable(url: string): boolean {
  if (/^data:image\//i.test(url)) return true
  try {
    return new URL(url, window.location.origin).origin === window.location.origin && !url.startsWith('data:')
  } catch {
    return false
  }
}

/** The URL to open it at; undefined if it is not a web address. */
export function hrefOf(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url, window.location.origin)
    return protocol === 'http:' || protocol === 'https:' ? href : undefined
  } catch {
    return undefined
  }
}

export function Picture({ url, size = 40, alt = '' }: { url: string | undefined; size?: number; alt?: string }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={classes.frame} style={{ width: size, height: size }}>
      {url !== undefined && isShowable(url) && !isBroken ? (
        <img src={url} alt={alt} width={size} height={size} loading="lazy" onError={() => setBroken(true)} />
      ) : isBroken ? (
        <IconPhotoOff size={size * 0.45} stroke={1.5} aria-hidden />
      ) : (
        <IconPhoto size={size * 0.45} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
