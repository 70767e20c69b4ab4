// Removes Mantine's unused styles: each of its classes has a name that occurs in the code of its component.
import postcss from 'postcss'
import type { Plugin } from 'vite'

const ofMantine = /\.(m_[0-9a-f]+)/g

export function usedStyles(): Plugin {
  return {
    name: 'used-styles',
    generateBundle(_, bundle) {
      const files = Object.values(bundle)
      const names = files.flatMap((file) => (file.type === 'chunk' ? (file.code.match(/m_[0-9a-f]+/g) ?? []) : []))
      const inCode = new Set(names)
      const isUsed = (selector: string) =>
        [...selector.matchAll(ofMantine)].every(([, name]) => inCode.has(name as string))
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
        const styles = postcss.parse(String(file.source))
        styles.walkRules((rule) => {
          // Keyframes of an animation have no selectors.
          if (rule.parent?.type === 'atrule' && /keyframes$/.test((rule.parent as postcss.AtRule).name)) return
          const used = rule.selectors.filter(isUsed)
          if (used.length === 0) rule.remove()
          else rule.selectors = used
        })
        styles.walkAtRules((rule) => void (rule.nodes?.length === 0 && rule.remove()))
        file.source = styles.toString()
      }
    },
  }
}
