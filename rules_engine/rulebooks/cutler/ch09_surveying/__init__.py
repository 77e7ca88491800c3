"""Chapter 9: surveying. Survey ships look for planets in unsurveyed space, in the economics phase."""
