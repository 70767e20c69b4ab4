export const TriggerPage = () => null
