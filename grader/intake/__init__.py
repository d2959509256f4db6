"""From a folder or a download to one submission per student. No platform is named here."""
