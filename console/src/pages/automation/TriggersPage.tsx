export const TriggersPage = () => null
