// Accordion checker: lists the tableaux that can be reached; searches when they are too many.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

using namespace std;

const string RANKS = "A23456789TJQK", SUITS = "CDHS";
const size_t LIMIT = 30000;
typedef vector<string> Tableau;  // a pile is a string of bytes 1 to 52, top first

string key(const Tableau& t) {
    string all;
    for (const string& pile : t) all += pile + '|';
    return all;
}

string parseLine(const string& line, int number) {
    string signs, cards;
    for (char c : line)
        if (!isspace((unsigned char)c)) signs += toupper((unsigned char)c);
    string where = "line " + to_string(number) + ": ";
    if (signs.size() % 2) throw runtime_error(where + "half a card");
    for (size_t i = 0; i < signs.size(); i += 2) {
        size_t rank = RANKS.find(signs[i]), suit = SUITS.find(signs[i + 1]);
        if (rank == string::npos) {
            rank = RANKS.find(signs[i + 1]);
            suit = SUITS.find(signs[i]);
        }
        if (rank == string::npos || suit == string::npos) throw runtime_error(where + "no card: " + signs.substr(i, 2));
        cards += char(13 * suit + rank + 1);
    }
    return cards;
}

bool match(char a, char b) { return (a - 1) % 13 == (b - 1) % 13 || (a - 1) / 13 == (b - 1) / 13; }

vector<Tableau> moves(const Tableau& t) {
    vector<Tableau> found;
    for (int i = 1; i < (int)t.size(); i++)
        for (int j = max(0, i - 2); j < i; j++)
            if (match(t[i][0], t[j][0]))
                for (size_t n : set<size_t>{1, t[i].size()}) {
                    Tableau u = t;
                    u[j] = t[i].substr(0, n) + t[j];
                    u[i] = t[i].substr(n);
                    if (u[i].empty()) u.erase(u.begin() + i);
                    found.push_back(u);
                }
    return found;
}

bool quicklyImpossible(const string& deal, const Tableau& t) {
    int last = -1;
    if (t[0].back() != deal[0]) return true;
    for (const string& pile : t) {
        int bottom = deal.find(pile.back());
        if (bottom < last) return true;
        last = bottom;
        for (char c : pile)
            if ((int)deal.find(c) < bottom) return true;
    }
    return false;
}

int value(const Tableau& t) {
    int matches = 0;
    for (int i = 1; i < (int)t.size(); i++)
        for (int j = max(0, i - 2); j < i; j++) matches += match(t[i][0], t[j][0]);
    return matches;
}

// Goes down a pile at a time with the three tableaux that allow most moves; starts again when it is stuck.
Tableau goDown(const Tableau& start) {
    mt19937 random(1);
    Tableau best = start;
    auto end = chrono::steady_clock::now() + chrono::seconds(20);
    while (best.size() > 1 && chrono::steady_clock::now() < end) {
        vector<Tableau> beam = {start};
        while (!beam.empty()) {
            map<Tableau, double> next;
            auto add = [&](const Tableau& t, size_t piles) {
                if (t.size() < piles && !next.count(t)) next[t] = -value(t) - random() / 4294967296.0;
            };
            for (const Tableau& t : beam)
                for (const Tableau& u : moves(t)) {
                    add(u, t.size());
                    if (u.size() == t.size())
                        for (const Tableau& v : moves(u)) add(v, t.size());
                }
            vector<pair<double, Tableau>> ranked;
            for (const auto& entry : next) ranked.push_back({entry.second, entry.first});
            sort(ranked.begin(), ranked.end());
            beam.clear();
            for (size_t i = 0; i < min<size_t>(3, ranked.size()); i++) beam.push_back(ranked[i].second);
            if (!beam.empty() && beam[0].size() < best.size()) best = beam[0];
        }
    }
    return best;
}

int main() {
    string deal, all, line;
    Tableau tableau;
    try {
        for (int number = 1; getline(cin, line); number++) {
            string cards = parseLine(line, number);
            if (cards.empty()) continue;
            if (deal.empty()) deal = cards;
            else {
                tableau.push_back(cards);
                all += cards;
            }
        }
        if (set<char>(deal.begin(), deal.end()).size() != 52 || deal.size() != 52) throw runtime_error("expected 52 different cards dealt");
        if (tableau.empty() || tableau.size() > 52) throw runtime_error("expected 1 to 52 piles");
        if (all.size() != 52 || set<char>(all.begin(), all.end()).size() != 52) throw runtime_error("the tableau is not made of the cards dealt");
    } catch (const exception& error) {
        cerr << "error: " << error.what() << endl;
        return 1;
    }
    Tableau start, best;
    for (char c : deal) start.push_back(string(1, c));
    if (quicklyImpossible(deal, tableau)) {
        cout << "impossible" << endl;
        return 0;
    }
    vector<Tableau> found = {start};
    unordered_set<string> seen = {key(start)};
    for (size_t i = 0; i < found.size() && found.size() < LIMIT; i++)
        for (const Tableau& t : moves(found[i]))
            if (seen.insert(key(t)).second) found.push_back(t);
    if (found.size() >= LIMIT) best = goDown(start);
    else {
        if (!seen.count(key(tableau))) {
            cout << "impossible" << endl;
            return 0;
        }
        best = *min_element(found.begin(), found.end(), [](const Tableau& a, const Tableau& b) { return a.size() < b.size(); });
    }
    if (best.size() < tableau.size())
        for (const string& pile : best) {
            for (char c : pile) cout << RANKS[(c - 1) % 13] << SUITS[(c - 1) / 13] << ' ';
            cout << '\n';
        }
}
