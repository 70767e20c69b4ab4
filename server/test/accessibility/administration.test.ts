// Accessibility rules on the pages of keys, automation, settings, guides and the organization.
import { testPages } from './every-page.ts'

testPages('administration')
